/* Puts and gets between pairs of random datatypes of the same signature, in windows of each kind, completed in each
 * way: windows SEED ROUNDS [looks]. Each line is a kind of window and how many targets, and origins of gets, gaps as
 * well, were other than they should be, on all ranks. MPICH 4.0.2 by itself completes requests of gets between elements
 * with gaps before their bytes have come: only where the program is told so it looks at them there, if it got elements
 * side by side. Any number of ranks of one host. */
#include "random-type.h"

#include <stdio.h>
#include <string.h>

static int rank, ranks, looks;
static int wrong[2];
enum { TARGETS, ORIGINS };

/* One side of a transfer. */
struct side {
  MPI_Datatype type;
  int count, bytes;
  struct room room;
};

static struct side side_of(MPI_Datatype type, int count) {
  struct side s = {type, count, 0, room_of(type, count)};
  MPI_Type_size(type, &s.bytes);
  s.bytes *= count;
  return s;
}

static int next(void) { return (rank + 1) % ranks; }
static int previous(void) { return (rank + ranks - 1) % ranks; }

/* As many basic elements as the other side has: side by side, in one element, by the same type, or apart. */
static struct side target_of(const struct side *origin, MPI_Datatype basic) {
  MPI_Datatype type;
  int size;
  MPI_Type_size(basic, &size);
  const int elements = origin->bytes / size;
  switch (draw(0, 3)) {
  case 0: return side_of(basic, elements);
  case 1: MPI_Type_contiguous(elements, basic, &type); break;
  case 2: return *origin;
  default: MPI_Type_vector(elements, 1, 2, basic, &type); break;
  }
  MPI_Type_commit(&type);
  return side_of(type, 1);
}

/* What `to` is when all of `from`, filled with one salt, has come into what was filled with another. */
static unsigned char *moved(const struct side *from, unsigned from_salt, const struct side *to, unsigned to_salt) {
  unsigned char *source = malloc(from->room.bytes), *target = malloc(to->room.bytes),
                *packed = malloc((size_t)from->bytes);
  int position = 0;
  fill(source, from->room.bytes, from_salt);
  fill(target, to->room.bytes, to_salt);
  MPI_Pack(source + from->room.origin, from->count, from->type, packed, from->bytes, &position, MPI_COMM_SELF);
  position = 0;
  MPI_Unpack(packed, from->bytes, &position, target + to->room.origin, to->count, to->type, MPI_COMM_SELF);
  free(source);
  free(packed);
  return target;
}

static int has_gaps(const struct side *s) {
  MPI_Aint lower, extent;
  int size;
  MPI_Type_get_extent(s->type, &lower, &extent);
  MPI_Type_size(s->type, &size);
  return size != extent;
}

struct transfer {
  struct side origin, target;
  int is_put, has_gaps;
  unsigned char *memory, *mine;
  MPI_Win window;
};

enum { SALT = 50 };

static void check(const unsigned char *found, unsigned char *expected, size_t bytes, int which) {
  wrong[which] += memcmp(found, expected, bytes) != 0;
  free(expected);
}

static void go(const struct transfer *t, MPI_Request *request) {
  unsigned char *user = t->mine + t->origin.room.origin;
  const MPI_Aint at = (MPI_Aint)t->target.room.origin;
  const struct side *o = &t->origin, *g = &t->target;
  if (t->is_put && request != NULL)
    MPI_Rput(user, o->count, o->type, next(), at, g->count, g->type, t->window, request);
  else if (t->is_put) MPI_Put(user, o->count, o->type, next(), at, g->count, g->type, t->window);
  else if (request != NULL) MPI_Rget(user, o->count, o->type, next(), at, g->count, g->type, t->window, request);
  else MPI_Get(user, o->count, o->type, next(), at, g->count, g->type, t->window);
}

/* What was got may be looked at. */
static void look(const struct transfer *t) {
  const unsigned own = (unsigned)rank;
  if (!t->is_put)
    check(t->mine, moved(&t->target, SALT + (unsigned)next(), &t->origin, own), t->origin.room.bytes, ORIGINS);
}

static void by_fence(const struct transfer *t) {
  MPI_Win_fence(MPI_MODE_NOPRECEDE, t->window);
  go(t, NULL);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, t->window);
  look(t);
}

/* By the forms with large counts. */
static void by_large(const struct transfer *t) {
#if MPI_VERSION >= 4
  unsigned char *user = t->mine + t->origin.room.origin;
  const MPI_Aint at = (MPI_Aint)t->target.room.origin;
  const struct side *o = &t->origin, *g = &t->target;
  MPI_Win_fence(0, t->window);
  if (t->is_put) PMPI_Put_c(user, o->count, o->type, next(), at, g->count, g->type, t->window);
  else MPI_Get_c(user, o->count, o->type, next(), at, g->count, g->type, t->window);
  MPI_Win_fence(0, t->window);
  look(t);
#else
  by_fence(t);
#endif
}

static void by_lock(const struct transfer *t) {
  MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, t->window);
  go(t, NULL);
  MPI_Win_unlock(next(), t->window);
  look(t);
}

static void by_flush(const struct transfer *t) {
  MPI_Win_lock_all(0, t->window);
  go(t, NULL);
  MPI_Win_flush(next(), t->window);
  look(t);
  MPI_Win_unlock_all(t->window);
}

static void by_flush_local(const struct transfer *t) {
  MPI_Win_lock_all(0, t->window);
  go(t, NULL);
  MPI_Win_flush_local_all(t->window);
  look(t);
  if (t->is_put) memset(t->mine, 0, t->origin.room.bytes);
  MPI_Win_unlock_all(t->window);
}

static void by_request(const struct transfer *t) {
  MPI_Request request;
  int flag = 0;
  MPI_Win_lock_all(0, t->window);
  go(t, &request);
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  if (looks && !t->has_gaps) look(t);
  MPI_Win_unlock_all(t->window);
}

/* The request is completed by the flush, and asked for behind it. */
static void by_both(const struct transfer *t) {
  MPI_Request request;
  MPI_Status status;
  MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, t->window);
  go(t, &request);
  MPI_Win_flush(next(), t->window);
  look(t);
  MPI_Waitall(1, &request, &status);
  look(t);
  MPI_Win_unlock(next(), t->window);
}

static void by_groups(const struct transfer *t) {
  MPI_Group world, to, from;
  const int target = next(), origin = previous();
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &target, &to);
  MPI_Group_incl(world, 1, &origin, &from);
  MPI_Win_post(from, 0, t->window);
  MPI_Win_start(to, 0, t->window);
  go(t, NULL);
  MPI_Win_complete(t->window);
  look(t);
  MPI_Win_wait(t->window);
  MPI_Group_free(&world);
  MPI_Group_free(&to);
  MPI_Group_free(&from);
}

/* Whole lines: where they are not, MPICH 4.0.2 by itself mistakes where the memory of the next rank begins. */
enum { LINE = 64 };
static void make_window(struct transfer *t, int kind) {
  const MPI_Aint bytes = ((MPI_Aint)t->target.room.bytes + LINE - 1) / LINE * LINE;
  t->memory = NULL;
  if (kind == 0) {
    t->memory = malloc((size_t)bytes);
    MPI_Win_create(t->memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &t->window);
  } else if (kind == 1) MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &t->memory, &t->window);
  else MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &t->memory, &t->window);
}

static void run(int kind, void (*way)(const struct transfer *), int is_put) {
  one_basic = (int[]){0, 1, 2, 3, 5}[draw(0, 4)];
  MPI_Datatype type = random_type(3), basic = random_basic();
  MPI_Type_commit(&type);
  struct transfer t = {.origin = side_of(type, draw(1, draw(0, 3) != 0 ? 8 : 100)), .is_put = is_put};
  t.target = target_of(&t.origin, basic);
  t.has_gaps = has_gaps(&t.target);
  make_window(&t, kind);
  t.mine = malloc(t.origin.room.bytes);
  fill(t.mine, t.origin.room.bytes, (unsigned)rank);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, t.window);
  fill(t.memory, t.target.room.bytes, SALT + (unsigned)rank);
  MPI_Win_unlock(rank, t.window);
  MPI_Barrier(MPI_COMM_WORLD);
  way(&t);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, t.window);
  if (is_put)
    check(t.memory, moved(&t.origin, (unsigned)previous(), &t.target, SALT + (unsigned)rank), t.target.room.bytes,
          TARGETS);
  MPI_Win_unlock(rank, t.window);
  MPI_Win_free(&t.window);
  if (kind == 0) free(t.memory);
  free(t.mine);
  if (t.target.type != basic && t.target.type != type) MPI_Type_free(&t.target.type);
  MPI_Type_free(&type);
}

int main(int argc, char **argv) {
  static const char *const kinds[] = {"create", "allocate", "allocate_shared"};
  static void (*const ways[])(const struct transfer *) = {by_fence,   by_lock, by_flush,  by_flush_local,
                                                          by_request, by_both, by_groups, by_large};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  looks = argc == 4;
  if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int kind = 0; kind < 3; kind++) {
    int total[2];
    memset(wrong, 0, sizeof wrong);
    draws = strtoull(argv[1], NULL, 10) * 1000 + (uint64_t)kind;
    for (int round = 0; round < atoi(argv[2]); round++)
      for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
        for (int is_put = 0; is_put < 2; is_put++) run(kind, ways[way], is_put);
    MPI_Reduce(wrong, total, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%s: %d targets, %d origins wrong\n", kinds[kind], total[TARGETS], total[ORIGINS]);
    fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
