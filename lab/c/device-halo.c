/* The halo exchange of TEMPI's study (section 6.5): device-halo POINTS TIMES [CUBIN]. Each rank has a cube of POINTS^3
 * floats and a halo of radius 2 on its device, and 26 neighbours in a periodic grid. Four contenders in turns in one
 * process, of which the first three are the program's MPI, as it is preloaded: a subarray to and from each neighbour by
 * MPI_Isend, MPI_Irecv and MPI_Waitall, by persistent requests, or by MPI_Neighbor_alltoallw; and with a CUBIN
 * (device-hand.cu) kernels written by hand with MPI on bytes in pinned memory. The slowest rank's time of one exchange,
 * medians of the turns' means. Every cell is compared with what belongs there. */
#include "device-ranks.h"
#include "halo-grid.h"
#include "samples.h"

#include <string.h>

enum { RADIUS = 2, TURNS = 11 };

static int points, edge, times;
static MPI_Comm grid;
static uint64_t memory;

struct box {
  struct halo_box at;
  long cells, packed_at;
  MPI_Datatype type;
};

static struct side {
  int target, source;
  struct box out, in;
} sides[NEIGHBOURS];

static struct box box_at(const struct halo_box *at, long packed_at) {
  const long cells = (long)at->sizes[0] * at->sizes[1] * at->sizes[2];
  return (struct box){*at, cells, packed_at, halo_type(at, edge, MPI_FLOAT)};
}

static long make_sides(const int own[3]) {
  long packed = 0;
  for (int i = 0; i < NEIGHBOURS; i++) {
    const struct halo_side at = halo_side_of(grid, own, i, points, RADIUS);
    sides[i] = (struct side){at.target, at.source, box_at(&at.out, packed), box_at(&at.in, packed)};
    packed += sides[i].out.cells;
  }
  return packed;
}

/* --- Contenders --- */

static void by_messages(void) {
  MPI_Request requests[2 * NEIGHBOURS];
  for (int i = 0; i < NEIGHBOURS; i++)
    MPI_Irecv(device_pointer(memory), 1, sides[i].in.type, sides[i].source, i, grid, &requests[i]);
  for (int i = 0; i < NEIGHBOURS; i++)
    MPI_Isend(device_pointer(memory), 1, sides[i].out.type, sides[i].target, i, grid, &requests[NEIGHBOURS + i]);
  MPI_Waitall(2 * NEIGHBOURS, requests, MPI_STATUSES_IGNORE);
}

static MPI_Request kept[2 * NEIGHBOURS];

static void make_kept(void) {
  for (int i = 0; i < NEIGHBOURS; i++) {
    MPI_Recv_init(device_pointer(memory), 1, sides[i].in.type, sides[i].source, i, grid, &kept[i]);
    MPI_Send_init(device_pointer(memory), 1, sides[i].out.type, sides[i].target, i, grid, &kept[NEIGHBOURS + i]);
  }
}

static void by_kept_requests(void) {
  MPI_Startall(2 * NEIGHBOURS, kept);
  MPI_Waitall(2 * NEIGHBOURS, kept, MPI_STATUSES_IGNORE);
}

static MPI_Comm around;

static void make_around(void) {
  int sources[NEIGHBOURS], targets[NEIGHBOURS];
  for (int i = 0; i < NEIGHBOURS; i++) {
    sources[i] = sides[i].source;
    targets[i] = sides[i].target;
  }
  MPI_Dist_graph_create_adjacent(grid, NEIGHBOURS, sources, MPI_UNWEIGHTED, NEIGHBOURS, targets, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &around);
}

static void by_neighbours(void) {
  int ones[NEIGHBOURS];
  MPI_Aint places[NEIGHBOURS] = {0};
  MPI_Datatype out[NEIGHBOURS], in[NEIGHBOURS];
  for (int i = 0; i < NEIGHBOURS; i++) {
    ones[i] = 1;
    out[i] = sides[i].out.type;
    in[i] = sides[i].in.type;
  }
  MPI_Neighbor_alltoallw(device_pointer(memory), ones, places, out, device_pointer(memory), ones, places, in, around);
}

static void *pack, *unpack;
static float *pinned_out, *pinned_in;

static void launch(void *kernel, float *packed, const struct box *b) {
  void *to = packed + b->packed_at;
  uint64_t from =
      memory + sizeof(float) * (((uint64_t)b->at.starts[0] * edge + b->at.starts[1]) * edge + b->at.starts[2]);
  long cells = b->cells;
  int rows = b->at.sizes[1], width = b->at.sizes[2], whole = edge;
  void *parameters[] = {&to, &from, &cells, &rows, &width, &whole};
  launch_threads(kernel, cells, NULL, parameters);
}

static void by_hand(void) {
  MPI_Request requests[2 * NEIGHBOURS];
  for (int i = 0; i < NEIGHBOURS; i++)
    MPI_Irecv(pinned_in + sides[i].in.packed_at, (int)sides[i].in.cells, MPI_FLOAT, sides[i].source, i, grid,
              &requests[i]);
  for (int i = 0; i < NEIGHBOURS; i++) launch(pack, pinned_out, &sides[i].out);
  synchronise(NULL);
  for (int i = 0; i < NEIGHBOURS; i++)
    MPI_Isend(pinned_out + sides[i].out.packed_at, (int)sides[i].out.cells, MPI_FLOAT, sides[i].target, i, grid,
              &requests[NEIGHBOURS + i]);
  MPI_Waitall(2 * NEIGHBOURS, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < NEIGHBOURS; i++) launch(unpack, pinned_in, &sides[i].in);
  synchronise(NULL);
}

static const struct {
  const char *name;
  void (*exchange)(void);
} contenders[] = {
    {"messages", by_messages}, {"persistent", by_kept_requests}, {"neighbours", by_neighbours}, {"hand", by_hand}};
enum { CONTENDERS = 4 };

/* --- Every cell says where it lies in the whole --- */

static float cell(const int own[3], const int sizes[3], const int at[3]) {
  uint32_t mixed = 1;
  for (int d = 0; d < 3; d++) {
    const int whole = sizes[d] * points, place = (own[d] * points + at[d] - RADIUS + whole) % whole;
    mixed = mixed * 2654435761u + (uint32_t)place;
  }
  return (float)(mixed >> 8);
}

static void fill(float *cells, const int own[3], const int sizes[3], int halo_too) {
  int at[3];
  long i = 0;
  for (at[0] = 0; at[0] < edge; at[0]++)
    for (at[1] = 0; at[1] < edge; at[1]++)
      for (at[2] = 0; at[2] < edge; at[2]++, i++) {
        int is_inside = 1;
        for (int d = 0; d < 3; d++) is_inside &= at[d] >= RADIUS && at[d] < points + RADIUS;
        cells[i] = is_inside || halo_too ? cell(own, sizes, at) : -1;
      }
}

static int is_right(int contender, const float *before, const float *after, float *got, size_t bytes) {
  must(cuMemcpyHtoD_v2(memory, before, bytes), "cuMemcpyHtoD");
  MPI_Barrier(grid);
  contenders[contender].exchange();
  must(cuMemcpyDtoH_v2(got, memory, bytes), "cuMemcpyDtoH");
  int wrong = memcmp(got, after, bytes) != 0, any = 0;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, grid);
  return !any;
}

static double exchange_us(int contender) {
  MPI_Barrier(grid);
  const double start = MPI_Wtime();
  for (int i = 0; i < times; i++) contenders[contender].exchange();
  double us = (MPI_Wtime() - start) * 1e6 / times, slowest = 0;
  MPI_Allreduce(&us, &slowest, 1, MPI_DOUBLE, MPI_MAX, grid);
  return slowest;
}

static int measure(int count, long packed, const float *before, const float *after, float *got, size_t bytes) {
  double us[CONTENDERS][TURNS];
  int wrong = 0;
  for (int warm = 0; warm < 10; warm++) exchange_us(warm % count);
  for (int turn = 0; turn < TURNS; turn++)
    for (int c = 0; c < count; c++) us[c][turn] = exchange_us(c);
  for (int c = 0; c < count; c++) {
    const int right = is_right(c, before, after, got, bytes);
    sort_samples(us[c], TURNS);
    wrong += !right;
    if (rank == 0)
      printf("{\"halo\":%d,\"ranks\":%d,\"bytes\":%ld,\"contender\":\"%s\",\"runs\":%d,\"medianUs\":%.2f,\"minUs\":%."
             "2f,\"maxUs\":%.2f,\"verified\":%s}\n",
             points, ranks, packed * (long)sizeof(float), contenders[c].name, TURNS, us[c][TURNS / 2], us[c][0],
             us[c][TURNS - 1], right ? "true" : "false"),
          fflush(stdout);
  }
  return wrong;
}

static void load(const char *path, long packed) {
  void *module = module_at(path);
  pack = kernel_of(module, "pack_box");
  unpack = kernel_of(module, "unpack_box");
  pinned_out = pinned_memory((size_t)packed * sizeof(float));
  pinned_in = pinned_memory((size_t)packed * sizeof(float));
}

int main(int argc, char **argv) {
  int sizes[3] = {0}, own[3];
  const int periods[] = {1, 1, 1};
  start_ranks(&argc, &argv);
  points = argc > 1 ? atoi(argv[1]) : 512;
  times = argc > 2 ? atoi(argv[2]) : 10;
  edge = points + 2 * RADIUS;
  MPI_Dims_create(ranks, 3, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, 3, sizes, periods, 0, &grid);
  MPI_Cart_coords(grid, rank, 3, own);
  const long packed = make_sides(own);
  const size_t bytes = (size_t)edge * (size_t)edge * (size_t)edge * sizeof(float);
  float *before = malloc(bytes), *after = malloc(bytes), *got = malloc(bytes);
  fill(before, own, sizes, 0);
  fill(after, own, sizes, 1);
  must(cuMemAlloc_v2(&memory, bytes), "cuMemAlloc");
  must(cuMemcpyHtoD_v2(memory, before, bytes), "cuMemcpyHtoD");
  make_kept();
  make_around();
  if (argc > 3) load(argv[3], packed);
  const int wrong = measure(argc > 3 ? CONTENDERS : CONTENDERS - 1, packed, before, after, got, bytes);
  for (int i = 0; i < 2 * NEIGHBOURS; i++) MPI_Request_free(&kept[i]);
  MPI_Finalize();
  return wrong > 0;
}
