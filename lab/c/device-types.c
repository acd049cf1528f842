/* Every datatype of a list from and to memory of devices: device-types LIST [BYTES], those whose elements span no more
 * than BYTES. Each goes round a ring of all ranks by MPI_Send and MPI_Recv, and 26 at a time to 26 neighbours of a
 * periodic grid by MPI_Isend, MPI_Irecv and MPI_Waitall, as in TEMPI's study (section 6.5). What arrives is compared
 * with what the same calls bring on the host, gaps as well. The list is one of `npx lab run interposer-device-types
 * --types FOLDER`; mpicc also needs -I runtime. */
#include "described-type.h"
#include "device-ranks.h"

enum { MOST_TYPES = 512, NEIGHBOURS = 26 };

struct entry {
  char name[128];
  int count;
  MPI_Datatype type;
  struct reach reach;
};

static int read_list(const char *path, size_t most, struct entry *entries) {
  FILE *list = fopen(path, "r");
  char type[4096];
  int count = 0;
  if (list == NULL) must(1, path);
  while (count < MOST_TYPES && fscanf(list, "%127s %d %4095s", entries[count].name, &entries[count].count, type) == 3) {
    entries[count].type = type_in(type);
    entries[count].reach = reach_of(entries[count].type, entries[count].count);
    count += entries[count].reach.bytes <= most;
  }
  fclose(list);
  return count;
}

/* A buffer on the host and its copy on the device; behind a call the device's is compared with the host's. */
struct twin {
  unsigned char *host;
  uint64_t device;
  size_t bytes;
};

static struct twin twin_of(size_t bytes, unsigned salt) {
  struct twin t = {malloc(bytes), 0, bytes};
  for (size_t i = 0; i < bytes; i++) t.host[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + salt * 29 + 7);
  must(cuMemAlloc_v2(&t.device, bytes), "cuMemAlloc");
  must(cuMemcpyHtoD_v2(t.device, t.host, bytes), "cuMemcpyHtoD");
  return t;
}

static size_t differences(struct twin *t) {
  unsigned char *got = malloc(t->bytes);
  size_t wrong = 0;
  must(cuMemcpyDtoH_v2(got, t->device, t->bytes), "cuMemcpyDtoH");
  for (size_t i = 0; i < t->bytes; i++) wrong += got[i] != t->host[i];
  free(got);
  return wrong;
}

static void drop(struct twin *t) {
  must(cuMemFree_v2(t->device), "cuMemFree");
  free(t->host);
}

static void *at(const struct twin *t, const struct entry *e, int on_device) {
  return on_device ? device_pointer(t->device + e->reach.origin) : (void *)(t->host + e->reach.origin);
}

static size_t round_the_ring(const struct entry *e) {
  struct twin out = twin_of(e->reach.bytes, (unsigned)rank), in = twin_of(e->reach.bytes, 100u + (unsigned)rank);
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  for (int on_device = 0; on_device < 2; on_device++)
    for (int turn = 0; turn < 2; turn++) {
      if (rank % 2 == turn) MPI_Send(at(&out, e, on_device), e->count, e->type, next, 1, MPI_COMM_WORLD);
      else MPI_Recv(at(&in, e, on_device), e->count, e->type, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  const size_t wrong = differences(&in) + differences(&out);
  drop(&out);
  drop(&in);
  return wrong;
}

/* Neighbour i of a periodic grid: places -1, 0 and 1 along each dimension, but for the middle one. */
static int neighbour(MPI_Comm grid, int i, int sign) {
  const int number = i < NEIGHBOURS / 2 ? i : i + 1;
  int sizes[3], periods[3], own[3], found;
  MPI_Cart_get(grid, 3, sizes, periods, own);
  own[0] += sign * (number % 3 - 1);
  own[1] += sign * (number / 3 % 3 - 1);
  own[2] += sign * (number / 9 - 1);
  MPI_Cart_rank(grid, own, &found);
  return found;
}

static size_t with_neighbours(MPI_Comm grid, const struct entry *entries, int count) {
  struct twin out[NEIGHBOURS], in[NEIGHBOURS];
  size_t wrong = 0;
  for (int i = 0; i < count; i++) {
    out[i] = twin_of(entries[i].reach.bytes, (unsigned)(rank + i));
    in[i] = twin_of(entries[i].reach.bytes, (unsigned)(100 + rank + i));
  }
  for (int on_device = 0; on_device < 2; on_device++) {
    MPI_Request requests[2 * NEIGHBOURS];
    for (int i = 0; i < count; i++)
      MPI_Irecv(at(&in[i], &entries[i], on_device), entries[i].count, entries[i].type, neighbour(grid, i, -1), i, grid,
                &requests[i]);
    for (int i = 0; i < count; i++)
      MPI_Isend(at(&out[i], &entries[i], on_device), entries[i].count, entries[i].type, neighbour(grid, i, 1), i, grid,
                &requests[count + i]);
    MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; i < count; i++) {
    wrong += differences(&in[i]) + differences(&out[i]);
    drop(&out[i]);
    drop(&in[i]);
  }
  return wrong;
}

int main(int argc, char **argv) {
  static struct entry entries[MOST_TYPES];
  unsigned long long wrong = 0, all = 0;
  int sizes[3] = {0};
  const int periods[] = {1, 1, 1};
  MPI_Comm grid;
  start_ranks(&argc, &argv);
  const int count = read_list(argv[1], argc > 2 ? strtoull(argv[2], NULL, 10) : SIZE_MAX, entries);
  for (int i = 0; i < count; i++) {
    const size_t here = round_the_ring(&entries[i]);
    if (here > 0) fprintf(stderr, "rank %d: %s: %zu bytes wrong\n", rank, entries[i].name, here);
    wrong += here;
  }
  MPI_Dims_create(ranks, 3, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, 3, sizes, periods, 0, &grid);
  for (int i = 0; i < count; i += NEIGHBOURS) {
    const size_t here = with_neighbours(grid, entries + i, count - i < NEIGHBOURS ? count - i : NEIGHBOURS);
    if (here > 0) fprintf(stderr, "rank %d: 26 from %s on: %zu bytes wrong\n", rank, entries[i].name, here);
    wrong += here;
  }
  MPI_Reduce(&wrong, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("{\"ranks\":%d,\"devices\":%d,\"types\":%d,\"wrongBytes\":%llu}\n", ranks, devices, count, all);
  MPI_Finalize();
  return all > 0;
}
