/* Puts and gets between pairs of types whose elements this program places itself, so that it knows what is right
 * without the MPI: pairs SEED ROUNDS. Each side is a list of blocks of ints, in random order, that no other block
 * overlaps, made into a type by one of several constructors; both sides have as many ints, in other blocks. Windows of
 * each kind are used again and again. Each line is a kind of window, and how many sides, gaps as well, were other than
 * they should be, on all ranks. Any number of ranks of one host. */
#include "random-type.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 400, ROOM = 8 * MOST, SALT = 50 };

static int rank, ranks;
static int wrong;

/* Where each int of a side lies, in ints, in the order of its type. */
struct side {
  MPI_Datatype type;
  int count, places[MOST];
};

static void commit(struct side *s, MPI_Datatype type) {
  s->type = type;
  s->count = 1;
  MPI_Type_commit(&s->type);
}

static void place(struct side *s, int first, int start, int length) {
  for (int i = 0; i < length; i++) s->places[first + i] = start + i;
}

static void side_by_side(struct side *s, int ints) {
  place(s, 0, 0, ints);
  s->type = MPI_INT;
  s->count = ints;
}

static void of_vector(struct side *s, int ints) {
  const int block = draw(1, 2) == 1 ? 1 : ints % 4 == 0 ? 4 : 2, stride = block + draw(1, 3);
  MPI_Datatype type;
  for (int i = 0; i < ints / block; i++) place(s, i * block, i * stride, block);
  MPI_Type_vector(ints / block, block, stride, MPI_INT, &type);
  commit(s, type);
}

/* One element for each block, behind one another. */
static void of_elements(struct side *s, int ints) {
  const int stride = draw(2, 4);
  MPI_Datatype type;
  for (int i = 0; i < ints; i++) place(s, i, i * stride, 1);
  MPI_Type_create_resized(MPI_INT, 0, stride * (MPI_Aint)sizeof(int), &type);
  commit(s, type);
  s->count = ints;
}

/* Blocks of any length at any place, backwards as well. */
static void of_list(struct side *s, int ints, int is_struct) {
  static int lengths[MOST], starts[MOST];
  static MPI_Aint bytes[MOST];
  static MPI_Datatype types[MOST];
  const int is_backwards = draw(0, 1);
  int blocks = 0, at = 0;
  for (int left = ints; left > 0; left -= lengths[blocks++]) {
    lengths[blocks] = draw(1, left < 9 ? left : 9);
    starts[blocks] = is_backwards ? ROOM - at - lengths[blocks] : at;
    bytes[blocks] = starts[blocks] * (MPI_Aint)sizeof(int);
    types[blocks] = MPI_INT;
    place(s, ints - left, starts[blocks], lengths[blocks]);
    at += lengths[blocks] + draw(0, 6);
  }
  MPI_Datatype type;
  if (is_struct) MPI_Type_create_struct(blocks, lengths, bytes, types, &type);
  else MPI_Type_indexed(blocks, lengths, starts, MPI_INT, &type);
  commit(s, type);
}

static void draw_side(struct side *s, int ints) {
  switch (draw(0, 4)) {
  case 0: side_by_side(s, ints); break;
  case 1: of_vector(s, ints); break;
  case 2: of_elements(s, ints); break;
  default: of_list(s, ints, draw(0, 1)); break;
  }
}

static void free_side(struct side *s) {
  if (s->type != MPI_INT) MPI_Type_free(&s->type);
}

struct transfer {
  struct side origin, target;
  int ints, is_put, one_type;
};

static void draw_transfer(struct transfer *t) {
  t->ints = 2 * draw(1, MOST / 2);
  t->is_put = draw(0, 1);
  draw_side(&t->origin, t->ints);
  t->one_type = draw(0, 3) == 0;
  if (t->one_type) t->target = t->origin;
  else draw_side(&t->target, t->ints);
}

static void call(const struct transfer *t, int *user, int other, MPI_Win window, MPI_Request *request) {
  const struct side *o = &t->origin, *g = &t->target;
  if (t->is_put && request == NULL) MPI_Put(user, o->count, o->type, other, 0, g->count, g->type, window);
  else if (t->is_put) MPI_Rput(user, o->count, o->type, other, 0, g->count, g->type, window, request);
  else if (request == NULL) MPI_Get(user, o->count, o->type, other, 0, g->count, g->type, window);
  else MPI_Rget(user, o->count, o->type, other, 0, g->count, g->type, window, request);
}

/* By a call or by a request, which a flush goes before: MPICH 4.0.2 by itself completes requests of gets too early. */
static void go(const struct transfer *t, int *user, int other, MPI_Win window) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window);
  call(t, user, other, window, draw(0, 1) ? &request : NULL);
  if (draw(0, 1)) MPI_Win_flush(other, window);
  MPI_Win_unlock(other, window);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int value(unsigned salt, int i) { return (int)(salt * 1000003u + (unsigned)i * 2654435761u); }

static void fill_ints(int *ints, unsigned salt) {
  for (int i = 0; i < ROOM; i++) ints[i] = value(salt, i);
}

/* What was filled with one salt, and has got the ints of a side of another. */
static void check(const int *found, unsigned own, const struct side *to, unsigned salt, const struct side *from,
                  int n) {
  static int right[ROOM];
  fill_ints(right, own);
  for (int i = 0; i < n; i++) right[to->places[i]] = value(salt, from->places[i]);
  wrong += memcmp(found, right, sizeof right) != 0;
}

static void run(int *memory, MPI_Win window) {
  static int user[ROOM];
  static struct transfer t;
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  draw_transfer(&t);
  fill_ints(user, (unsigned)rank);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  fill_ints(memory, SALT + (unsigned)rank);
  MPI_Win_unlock(rank, window);
  MPI_Barrier(MPI_COMM_WORLD);
  go(&t, user, to, window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
  if (t.is_put) check(memory, SALT + (unsigned)rank, &t.target, (unsigned)from, &t.origin, t.ints);
  else check(user, (unsigned)rank, &t.origin, SALT + (unsigned)to, &t.target, t.ints);
  MPI_Win_unlock(rank, window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!t.one_type) free_side(&t.target);
  free_side(&t.origin);
}

static void make_window(int kind, int **memory, MPI_Win *window) {
  const MPI_Aint bytes = ROOM * (MPI_Aint)sizeof(int);
  if (kind == 0) {
    *memory = malloc((size_t)bytes);
    MPI_Win_create(*memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, window);
  } else if (kind == 1) MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window);
  else MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window);
}

int main(int argc, char **argv) {
  static const char *const kinds[] = {"create", "allocate", "allocate_shared"};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int kind = 0; kind < 3; kind++) {
    int total, *memory;
    MPI_Win window;
    wrong = 0;
    draws = strtoull(argv[1], NULL, 10);
    make_window(kind, &memory, &window);
    for (int round = 0; round < atoi(argv[2]); round++) run(memory, window);
    MPI_Win_free(&window);
    if (kind == 0) free(memory);
    MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%s: %d wrong\n", kinds[kind], total);
  }
  MPI_Finalize();
  return 0;
}
