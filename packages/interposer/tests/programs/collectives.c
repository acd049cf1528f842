/* Collectives of types with gaps: collectives SEED TIMES. Each line is a call and a hash of all that was received, gaps
 * as well, on all ranks: the same natively and by our code. Any number of ranks. */
#include "random-type.h"
#include "ranks-hash.h"

#include <string.h>

enum { MOST_RANKS = 16, MOST_COUNT = 40 };

/* A ring, in which each rank is its neighbours' neighbour, twice where it has but one. */
static MPI_Comm ring;
enum { NEIGHBOURS = 2 };

/* Of a side's pieces: one type, or one of its own each; a piece is MOST_COUNT elements behind the one before. */
struct side {
  MPI_Datatype types[MOST_RANKS];
  int places[MOST_RANKS], offsets[MOST_RANKS];
  MPI_Aint addresses[MOST_RANKS];
  size_t bytes;
  unsigned char *memory;
};

/* Elements of it begin and end within its extent, as long as a piece may be. */
static MPI_Datatype spaced(MPI_Datatype type) {
  const struct room room = room_of(type, 1);
  const int one = 1;
  const MPI_Aint origin = (MPI_Aint)room.origin;
  MPI_Datatype moved, made;
  MPI_Type_create_hindexed(1, &one, &origin, type, &moved);
  MPI_Type_create_resized(moved, 0, (MPI_Aint)room.bytes, &made);
  MPI_Type_commit(&made);
  MPI_Type_free(&moved);
  return made;
}

/* Without a gap now and then, as a program's types of whole rows are. */
static MPI_Datatype some_type(void) { return draw(0, 5) == 0 ? MPI_DOUBLE : spaced(random_type(3)); }

static void lay(struct side *s, int pieces, MPI_Datatype (*type_of)(int)) {
  memset(s, 0, sizeof *s);
  for (int i = 0; i < pieces; i++) {
    MPI_Aint lower, extent;
    s->types[i] = type_of(i);
    MPI_Type_get_extent(s->types[i], &lower, &extent);
    s->offsets[i] = (int)s->bytes;
    s->addresses[i] = (MPI_Aint)s->bytes;
    s->places[i] = MOST_COUNT * i;
    s->bytes += (size_t)(extent * MOST_COUNT);
  }
  s->memory = malloc(s->bytes);
}

static void fill_side(struct side *s, unsigned salt) { fill(s->memory, s->bytes, salt + (unsigned)rank); }
static void settle(struct side *s) {
  hash = hashed(hash, s->memory, s->bytes);
  fill_side(s, 100);
}

/* How many elements one rank sends to another: symmetric, so that they may be exchanged in place. */
static int counts[MOST_RANKS][MOST_RANKS];
static void draw_counts(void) {
  for (int a = 0; a < ranks; a++)
    for (int b = 0; b <= a; b++) counts[a][b] = counts[b][a] = draw(0, 4) == 0 ? 0 : draw(1, MOST_COUNT);
}

static MPI_Datatype common;
/* Of what goes between two ranks. */
static MPI_Datatype between[MOST_RANKS][MOST_RANKS];
static MPI_Datatype the_common(int piece) { return (void)piece, common; }
static MPI_Datatype with_rank(int piece) { return between[rank][piece]; }
static MPI_Datatype with_neighbour(int piece) {
  return between[rank][piece == 0 ? (rank + ranks - 1) % ranks : (rank + 1) % ranks];
}

/* Of one basic type, or of any: MPICH 4.0.2 truncates what is exchanged in place where MPI_DOUBLE_INT is among them. */
static int is_in_place(void) { return one_basic >= 0; }
static void draw_basic(void) {
  static const int basics[] = {0, 1, 2, 3, 5, -1, -1, -1};
  one_basic = basics[draw(0, (int)(sizeof basics / sizeof *basics) - 1)];
}

static void draw_types(void) {
  draw_basic();
  common = some_type();
  for (int a = 0; a < ranks; a++)
    for (int b = 0; b <= a; b++) between[a][b] = between[b][a] = some_type();
}
static void free_type(MPI_Datatype *type) {
  if (*type != MPI_DOUBLE) MPI_Type_free(type);
}
static void free_types(void) {
  free_type(&common);
  for (int a = 0; a < ranks; a++)
    for (int b = 0; b <= a; b++) free_type(&between[a][b]);
}

static void of_all(struct side *out, struct side *in) {
  const int root = draw(0, ranks - 1), count = draw(1, MOST_COUNT);
  memcpy(in->memory, rank == root ? out->memory : in->memory, in->bytes);
  MPI_Bcast(in->memory, count, common, root, MPI_COMM_WORLD);
  settle(in);
  MPI_Alltoall(out->memory, MOST_COUNT, common, in->memory, MOST_COUNT, common, MPI_COMM_WORLD);
  settle(in);
  MPI_Alltoallv(out->memory, counts[rank], out->places, common, in->memory, counts[rank], in->places, common,
                MPI_COMM_WORLD);
  settle(in);
  if (!is_in_place()) return;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, in->memory, MOST_COUNT, common, MPI_COMM_WORLD);
  settle(in);
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, in->memory, counts[rank], in->places, common, MPI_COMM_WORLD);
  settle(in);
}

static void of_types(struct side *out, struct side *in) {
  MPI_Alltoallw(out->memory, counts[rank], out->offsets, out->types, in->memory, counts[rank], in->offsets, in->types,
                MPI_COMM_WORLD);
  settle(in);
  if (!is_in_place()) return;
  MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in->memory, counts[rank], in->offsets, in->types, MPI_COMM_WORLD);
  settle(in);
}

static void of_neighbours(struct side *out, struct side *in) {
  const int around[NEIGHBOURS] = {counts[rank][(rank + ranks - 1) % ranks], counts[rank][(rank + 1) % ranks]};
  const int same[NEIGHBOURS] = {MOST_COUNT, MOST_COUNT};
  MPI_Neighbor_alltoall(out->memory, MOST_COUNT, common, in->memory, MOST_COUNT, common, ring);
  settle(in);
  MPI_Neighbor_alltoallv(out->memory, around, out->places, common, in->memory, around, in->places, common, ring);
  settle(in);
  MPI_Neighbor_allgather(out->memory, MOST_COUNT, common, in->memory, MOST_COUNT, common, ring);
  settle(in);
  MPI_Neighbor_allgatherv(out->memory, MOST_COUNT, common, in->memory, same, in->places, common, ring);
  settle(in);
}

static void of_neighbours_types(struct side *out, struct side *in) {
  const int around[NEIGHBOURS] = {counts[rank][(rank + ranks - 1) % ranks], counts[rank][(rank + 1) % ranks]};
  MPI_Neighbor_alltoallw(out->memory, around, out->addresses, out->types, in->memory, around, in->addresses, in->types,
                         ring);
  settle(in);
}

static void between_sides(int pieces, MPI_Datatype (*type_of)(int), void (*calls)(struct side *, struct side *)) {
  struct side out, in;
  lay(&out, pieces, type_of);
  lay(&in, pieces, type_of);
  fill_side(&out, 0);
  fill_side(&in, 100);
  calls(&out, &in);
  free(out.memory);
  free(in.memory);
}

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const int times = argc > 2 ? atoi(argv[2]) : 10, periodic = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
  static const struct {
    const char *name;
    MPI_Datatype (*type_of)(int);
    void (*calls)(struct side *, struct side *);
    int is_around;
  } all[] = {{"one type", the_common, of_all, 0},
             {"a type each", with_rank, of_types, 0},
             {"neighbours, one type", the_common, of_neighbours, 1},
             {"neighbours, a type each", with_neighbour, of_neighbours_types, 1}};
  begin_hash();
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    draws = seed * 1000 + i;
    for (int time = 0; time < times; time++) {
      draw_types();
      draw_counts();
      between_sides(all[i].is_around ? NEIGHBOURS : ranks, all[i].type_of, all[i].calls);
      free_types();
    }
    report(all[i].name);
  }
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
