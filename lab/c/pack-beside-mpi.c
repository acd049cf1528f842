/* libstowage's loops, and machine code through it, beside MPI_Pack and MPI_Unpack of the MPI that this is compiled for:
 * described types in, all pack and unpack the same memory in turns, and every byte is compared.
 *   pack-beside-mpi ROUNDS ROUND_NS < descriptions
 * Code comes from the service and the cache that the environment says. Input: records of an int64 count of elements, an
 * int64 length, and a description. Output: a line a record: packed bytes, then median, least and greatest nanoseconds
 * of a call: packing by loops, by code and by the MPI, then unpacking; then the nanoseconds of a commit. Three zeros:
 * the type has no code. */
#define _GNU_SOURCE 1
#include "described-type.h"
#include "samples.h"
#include "stowage_types.h"

enum { MOST_ROUNDS = 1001, BY_LOOPS = 0, BY_CODE, BY_MPI, WAYS, SIDES = 2 * WAYS };
static const int64_t WAIT_NS = (int64_t)60 * 1000000000;

static stowage_context *context;

struct cell {
  stowage_type *types[BY_MPI]; /* by code: NULL where there is none */
  MPI_Datatype handle;
  int64_t count, size;
  unsigned char *scattered, *packed; /* address 0 of the type */
};

/* Packs by one of the ways, then unpacks by one. */
static void call(const struct cell *cell, int side) {
  int position = 0;
  const int count = (int)cell->count, size = (int)cell->size, way = side % WAYS;
  if (way != BY_MPI && side < WAYS)
    stowage_pack(cell->scattered, cell->count, cell->types[way], cell->packed, cell->size);
  else if (way != BY_MPI) stowage_unpack(cell->packed, cell->size, cell->types[way], cell->scattered, cell->count);
  else if (side < WAYS) MPI_Pack(cell->scattered, count, cell->handle, cell->packed, size, &position, MPI_COMM_SELF);
  else MPI_Unpack(cell->packed, size, &position, cell->scattered, count, cell->handle, MPI_COMM_SELF);
}

static int has_way(const struct cell *cell, int way) { return way == BY_MPI || cell->types[way] != NULL; }

static double timed(const struct cell *cell, int side, int64_t calls) {
  const double start = now_ns();
  for (int64_t i = 0; i < calls; i++) call(cell, side);
  return (now_ns() - start) / (double)calls;
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

/* Packs the MPI's bytes, and unpacks to the MPI's memory. */
static void verify(const struct cell *cell, int way, unsigned char *memory, size_t span) {
  const size_t size = (size_t)cell->size;
  struct cell other = *cell;
  unsigned char *theirs = filled(size, 1), *before = filled(span, 7), *first = filled(span, 7);
  const ptrdiff_t origin = cell->scattered - memory;
  other.packed = theirs;
  memcpy(memory, before, span);
  call(cell, way);
  call(&other, BY_MPI);
  int wrong = memcmp(cell->packed, theirs, size) != 0;
  for (size_t i = 0; i < size; i++) theirs[i] = (unsigned char)(cell->packed[i] ^ 0x5a);
  other.scattered = first + origin;
  call(&other, WAYS + way);
  other.scattered = before + origin;
  call(&other, WAYS + BY_MPI);
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
  sort_samples(ns, TRIALS);
  return ns[TRIALS / 2];
}

static void measure(const void *description, size_t length, int64_t count, int rounds, double round_ns) {
  struct cell cell = {.count = count};
  if (stowage_commit_description(NULL, description, length, &cell.types[BY_LOOPS]) != STOWAGE_OK) exit(2);
  stowage_commit_description(context, description, length, &cell.types[BY_CODE]);
  if (stowage_wait_code(cell.types[BY_CODE], WAIT_NS) != STOWAGE_OK) {
    stowage_type_free(cell.types[BY_CODE]);
    cell.types[BY_CODE] = NULL;
  }
  cell.handle = described_type(description, length / 8);
  MPI_Type_commit(&cell.handle);
  const struct stowage_bounds bounds = stowage_type_bounds(cell.types[BY_LOOPS]);
  const int64_t last = (count - 1) * bounds.extent;
  const int64_t low = bounds.true_lower_bound + (last < 0 ? last : 0);
  const size_t span = (size_t)(bounds.true_extent + (last < 0 ? -last : last));
  cell.size = count * stowage_type_size(cell.types[BY_LOOPS]);
  unsigned char *memory = filled(span, 7);
  cell.scattered = memory - low;
  cell.packed = filled((size_t)cell.size, 3);
  for (int way = 0; way < BY_MPI; way++)
    if (has_way(&cell, way)) verify(&cell, way, memory, span);
  static double ns[SIDES][MOST_ROUNDS];
  int64_t calls[SIDES] = {0};
  for (int side = 0; side < SIDES; side++) {
    if (!has_way(&cell, side % WAYS)) continue;
    const double once = timed(&cell, side, 3);
    calls[side] = once >= round_ns ? 1 : (int64_t)(round_ns / once);
  }
  for (int round = 0; round < rounds; round++)
    for (int side = 0; side < SIDES; side++) ns[side][round] = calls[side] > 0 ? timed(&cell, side, calls[side]) : 0;
  printf("%lld", (long long)cell.size);
  for (int side = 0; side < SIDES; side++) {
    sort_samples(ns[side], rounds);
    printf(" %.1f %.1f %.1f", ns[side][rounds / 2], ns[side][0], ns[side][rounds - 1]);
  }
  printf(" %.0f\n", commit_ns(description, length));
  fflush(stdout);
  MPI_Type_free(&cell.handle);
  for (int way = 0; way < BY_MPI; way++) stowage_type_free(cell.types[way]);
  free(memory);
  free(cell.packed);
}

int main(int argc, char **argv) {
  int64_t head[2];
  MPI_Init(&argc, &argv);
  const int rounds = argc > 2 ? atoi(argv[1]) : 11;
  const double round_ns = argc > 2 ? atof(argv[2]) : 1e5;
  context = stowage_open(NULL);
  if (rounds < 1 || rounds > MOST_ROUNDS || context == NULL) return 2;
  while (fread(head, sizeof head, 1, stdin) == 1) {
    void *description = read_bytes((size_t)head[1]);
    if (description == NULL) return 2;
    measure(description, (size_t)head[1], head[0], rounds, round_ns);
    free(description);
  }
  stowage_close(context);
  MPI_Finalize();
  return 0;
}
