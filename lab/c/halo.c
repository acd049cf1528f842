/* A halo exchange in three dimensions: halo SAMPLES POINTS RADIUS. Each rank has a cube of POINTS^3 doubles with a halo
 * of RADIUS, and 26 neighbours in a periodic grid, a subarray to and from each: by MPI_Isend, MPI_Irecv and
 * MPI_Waitall, by persistent requests, and by MPI_Neighbor_alltoallw. In each sample the MPI's own packing and ours
 * take turns; each line printed is one of these ways, times of one exchange in nanoseconds, of the slowest rank. */
#define _GNU_SOURCE 1
#include <mpi.h>

#include "halo-grid.h"
#include "samples.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SAMPLES = 64, TURNS = 4, OURS = 0, NATIVE = 1, CONTENDERS = 2 };
/* Exchanges until our code has come, and a choice by times is made (way-choice.h), with pauses for the compiler. */
enum { WARM_UPS = 60, PAUSES = 20 };

static int samples, points, radius, edge, rank;
static size_t room;
static MPI_Comm grid, around;
static unsigned char *memory;
static int (*pause_ours)(int);

static struct side {
  int target, source, packed_bytes;
  MPI_Datatype out, in;
} sides[NEIGHBOURS];
static MPI_Request kept[CONTENDERS][2 * NEIGHBOURS];

static void make_side(struct side *s, int neighbour, const int own[3]) {
  const struct halo_side at = halo_side_of(grid, own, neighbour, points, radius);
  *s = (struct side){.target = at.target, .source = at.source};
  s->out = halo_type(&at.out, edge, MPI_DOUBLE);
  s->in = halo_type(&at.in, edge, MPI_DOUBLE);
  MPI_Type_size(s->out, &s->packed_bytes);
}

static void make_grid(void) {
  int ranks, own[3], sizes[3] = {0}, periods[3] = {1, 1, 1}, sources[NEIGHBOURS], targets[NEIGHBOURS];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, 3, sizes, periods, 0, &grid);
  MPI_Cart_coords(grid, rank, 3, own);
  for (int i = 0; i < NEIGHBOURS; i++) {
    make_side(&sides[i], i, own);
    sources[i] = sides[i].source;
    targets[i] = sides[i].target;
  }
  MPI_Dist_graph_create_adjacent(grid, NEIGHBOURS, sources, MPI_UNWEIGHTED, NEIGHBOURS, targets, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &around);
}

/* --- Ways to exchange --- */

static void by_messages(int contender) {
  MPI_Request requests[2 * NEIGHBOURS];
  (void)contender;
  for (int i = 0; i < NEIGHBOURS; i++) MPI_Irecv(memory, 1, sides[i].in, sides[i].source, i, grid, &requests[i]);
  for (int i = 0; i < NEIGHBOURS; i++)
    MPI_Isend(memory, 1, sides[i].out, sides[i].target, i, grid, &requests[NEIGHBOURS + i]);
  MPI_Waitall(2 * NEIGHBOURS, requests, MPI_STATUSES_IGNORE);
}

/* A request keeps how it was prepared: each contender has its own. */
static void make_kept(int contender) {
  pause_ours(contender);
  for (int i = 0; i < NEIGHBOURS; i++) {
    MPI_Recv_init(memory, 1, sides[i].in, sides[i].source, i, grid, &kept[contender][i]);
    MPI_Send_init(memory, 1, sides[i].out, sides[i].target, i, grid, &kept[contender][NEIGHBOURS + i]);
  }
}

static void by_kept_requests(int contender) {
  MPI_Startall(2 * NEIGHBOURS, kept[contender]);
  MPI_Waitall(2 * NEIGHBOURS, kept[contender], MPI_STATUSES_IGNORE);
}

static void by_neighbours(int contender) {
  int ones[NEIGHBOURS];
  MPI_Aint places[NEIGHBOURS] = {0};
  MPI_Datatype out[NEIGHBOURS], in[NEIGHBOURS];
  (void)contender;
  for (int i = 0; i < NEIGHBOURS; i++) {
    ones[i] = 1;
    out[i] = sides[i].out;
    in[i] = sides[i].in;
  }
  MPI_Neighbor_alltoallw(memory, ones, places, out, memory, ones, places, in, around);
}

static const struct way {
  const char *name;
  void (*exchange)(int contender);
} ways[] = {{"messages", by_messages}, {"persistent requests", by_kept_requests}, {"neighbours", by_neighbours}};
enum { WAYS = 3 };

static double timed(const struct way *w, int contender) {
  double slowest;
  pause_ours(contender);
  MPI_Barrier(grid);
  const double start = now_ns();
  for (int turn = 0; turn < TURNS; turn++) w->exchange(contender);
  const double own = (now_ns() - start) / TURNS;
  MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, grid);
  return slowest;
}

/* What is inside differs everywhere, between ranks too; what is in the halo belongs nowhere. */
static void fill(void) {
  double *cells = (double *)(void *)memory;
  long at = 0;
  for (int x = 0; x < edge; x++)
    for (int y = 0; y < edge; y++)
      for (int z = 0; z < edge; z++, at++) {
        const int is_inside = x >= radius && x < points + radius && y >= radius && y < points + radius && z >= radius &&
                              z < points + radius;
        cells[at] = is_inside ? (double)(at * 16 + rank) : -1.0;
      }
}

static int agree(const struct way *w) {
  unsigned char *natively = malloc(room);
  fill();
  timed(w, NATIVE);
  memcpy(natively, memory, room);
  fill();
  timed(w, OURS);
  int same = memcmp(natively, memory, room) == 0;
  free(natively);
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, grid);
  return same;
}

static void print_times(const char *name, const double *ns) {
  printf(",\"%s\":[", name);
  for (int i = 0; i < samples; i++) printf("%s%.1f", i > 0 ? "," : "", ns[i]);
  printf("]");
}

static void measure(const struct way *w) {
  double ns[CONTENDERS][MOST_SAMPLES];
  long packed = 0;
  for (int i = 0; i < NEIGHBOURS; i++) packed += sides[i].packed_bytes;
  const int same = agree(w);
  for (int sample = 0; sample < samples; sample++)
    for (int contender = 0; contender < CONTENDERS; contender++) ns[contender][sample] = timed(w, contender);
  if (rank != 0) return;
  printf("{\"name\":\"%s\",\"bytes\":%ld,\"verified\":%s", w->name, packed, same ? "true" : "false");
  print_times("ours", ns[OURS]);
  print_times("native", ns[NATIVE]);
  printf("}\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pause_ours = (int (*)(int))dlsym(RTLD_DEFAULT, "stowage_interposer_pause");
  if (argc != 4 || pause_ours == NULL) return 1;
  samples = atoi(argv[1]);
  points = atoi(argv[2]);
  radius = atoi(argv[3]);
  edge = points + 2 * radius;
  room = (size_t)edge * (size_t)edge * (size_t)edge * sizeof(double);
  memory = malloc(room);
  if (samples > MOST_SAMPLES || memory == NULL) return 1;
  make_grid();
  fill();
  for (int i = 0; i < WARM_UPS; i++) {
    if (i < PAUSES) usleep(20000);
    timed(&ways[0], OURS);
  }
  for (int contender = 0; contender < CONTENDERS; contender++) make_kept(contender);
  for (int way = 0; way < WAYS; way++) measure(&ways[way]);
  pause_ours(0);
  for (int contender = 0; contender < CONTENDERS; contender++)
    for (int i = 0; i < 2 * NEIGHBOURS; i++) MPI_Request_free(&kept[contender][i]);
  MPI_Finalize();
  return 0;
}
