/* libstowage's loops beside MPI_Pack and MPI_Unpack of the MPI that this is compiled for: described types in, both
 * pack and unpack the same memory in turns, and every byte is compared.
 *   pack-beside-mpi ROUNDS ROUND_NS < descriptions
 * Input: records of an int64 count of elements, an int64 length, and a description. Output: a line a record: packed
 * bytes, then median, least and greatest nanoseconds of a call: ours and the MPI's packing, ours and its unpacking;
 * then the nanoseconds of a commit. */
#define _GNU_SOURCE 1
#include "../../interposer/bench/described-type.h"
#include "stowage_types.h"

#include <time.h>

enum { MOST_ROUNDS = 1001, SIDES = 4 };

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

struct cell {
  stowage_type *type;
  MPI_Datatype handle;
  int64_t count, size;
  unsigned char *scattered, *packed; /* address 0 of the type */
};

static void call(const struct cell *cell, int side) {
  int position = 0;
  const int count = (int)cell->count, size = (int)cell->size;
  switch (side) {
  case 0: stowage_pack(cell->scattered, cell->count, cell->type, cell->packed, cell->size); return;
  case 1: MPI_Pack(cell->scattered, count, cell->handle, cell->packed, size, &position, MPI_COMM_SELF); return;
  case 2: stowage_unpack(cell->packed, cell->size, cell->type, cell->scattered, cell->count); return;
  default: MPI_Unpack(cell->packed, size, &position, cell->scattered, count, cell->handle, MPI_COMM_SELF);
  }
}

static double timed(const struct cell *cell, int side, int64_t calls) {
  const double start = now_ns();
  for (int64_t i = 0; i < calls; i++) call(cell, side);
  return (now_ns() - start) / (double)calls;
}

static int compare(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void *read_bytes(size_t length) {
  void *bytes = malloc(length);
  if (bytes != NULL && fread(bytes, 1, length, stdin) == length) return bytes;
  free(bytes);
  return NULL;
}

static unsigned char *filled(size_t length, unsigned seed) {
  unsigned char *bytes = malloc(length + 1);
  for (size_t i = 0; i < length; i++) bytes[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + seed);
  return bytes;
}

/* Both pack the same bytes, and unpack to the same memory. */
static void verify(const struct cell *cell, unsigned char *memory, size_t span) {
  const size_t size = (size_t)cell->size;
  struct cell other = *cell;
  unsigned char *theirs = filled(size, 1), *before = filled(span, 7), *first = filled(span, 7);
  const ptrdiff_t origin = cell->scattered - memory;
  other.packed = theirs;
  memcpy(memory, before, span);
  call(cell, 0);
  call(&other, 1);
  int wrong = memcmp(cell->packed, theirs, size) != 0;
  for (size_t i = 0; i < size; i++) theirs[i] = (unsigned char)(cell->packed[i] ^ 0x5a);
  other.scattered = first + origin;
  call(&other, 2);
  other.scattered = before + origin;
  call(&other, 3);
  wrong |= memcmp(first, before, span) != 0;
  free(theirs);
  free(before);
  free(first);
  if (!wrong) return;
  fprintf(stderr, "pack-beside-mpi: expected the MPI's bytes, got others\n");
  exit(2);
}

static double commit_ns(const void *description, size_t length) {
  enum { TRIALS = 101 };
  double ns[TRIALS];
  for (int i = 0; i < TRIALS; i++) {
    stowage_type *type;
    const double start = now_ns();
    stowage_commit_description(NULL, description, length, &type);
    ns[i] = now_ns() - start;
    stowage_type_free(type);
  }
  qsort(ns, TRIALS, sizeof *ns, compare);
  return ns[TRIALS / 2];
}

static void measure(const void *description, size_t length, int64_t count, int rounds, double round_ns) {
  struct cell cell = {.count = count};
  if (stowage_commit_description(NULL, description, length, &cell.type) != STOWAGE_OK) exit(2);
  cell.handle = described_type(description, length / 8);
  MPI_Type_commit(&cell.handle);
  const struct stowage_bounds bounds = stowage_type_bounds(cell.type);
  const int64_t last = (count - 1) * bounds.extent;
  const int64_t low = bounds.true_lower_bound + (last < 0 ? last : 0);
  const size_t span = (size_t)(bounds.true_extent + (last < 0 ? -last : last));
  cell.size = count * stowage_type_size(cell.type);
  unsigned char *memory = filled(span, 7);
  cell.scattered = memory - low;
  cell.packed = filled((size_t)cell.size, 3);
  verify(&cell, memory, span);
  static double ns[SIDES][MOST_ROUNDS];
  int64_t calls[SIDES];
  for (int side = 0; side < SIDES; side++) {
    const double once = timed(&cell, side, 3);
    calls[side] = once >= round_ns ? 1 : (int64_t)(round_ns / once);
  }
  for (int round = 0; round < rounds; round++)
    for (int side = 0; side < SIDES; side++) ns[side][round] = timed(&cell, side, calls[side]);
  printf("%lld", (long long)cell.size);
  for (int side = 0; side < SIDES; side++) {
    qsort(ns[side], (size_t)rounds, sizeof(double), compare);
    printf(" %.1f %.1f %.1f", ns[side][rounds / 2], ns[side][0], ns[side][rounds - 1]);
  }
  printf(" %.0f\n", commit_ns(description, length));
  fflush(stdout);
  MPI_Type_free(&cell.handle);
  stowage_type_free(cell.type);
  free(memory);
  free(cell.packed);
}

int main(int argc, char **argv) {
  int64_t head[2];
  MPI_Init(&argc, &argv);
  const int rounds = argc > 2 ? atoi(argv[1]) : 11;
  const double round_ns = argc > 2 ? atof(argv[2]) : 1e5;
  if (rounds < 1 || rounds > MOST_ROUNDS) return 2;
  while (fread(head, sizeof head, 1, stdin) == 1) {
    void *description = read_bytes((size_t)head[1]);
    if (description == NULL) return 2;
    measure(description, (size_t)head[1], head[0], rounds, round_ns);
    free(description);
  }
  MPI_Finalize();
  return 0;
}
