/* Types under a sanitizer or valgrind: soak moves|damage|threads SEED COUNT < records
 * Each record: an int64 length, and a description. `moves`: in memory that is exactly as long as the type reaches,
 * whole and in ranges, both ways and from type to type. `damage`: COUNT descriptions with words changed; what commits
 * is packed too. `threads`: 8 threads commit and move the same types through one context. Prints what was done. */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stowage_types.h>

enum { MOST_TYPES = 8192, THREADS = 8 };
static const int64_t MOST_BYTES = 1 << 20;

struct record {
  int64_t length;
  unsigned char *bytes;
};
static struct record records[MOST_TYPES];
static size_t count;

static uint64_t drawn(uint64_t *state, uint64_t below) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state % below;
}

static void fail(const char *what, size_t record) {
  fprintf(stderr, "soak: record %zu: %s\n", record, what);
  exit(1);
}

static void read_records(void) {
  int64_t length;
  while (count < MOST_TYPES && fread(&length, sizeof length, 1, stdin) == 1) {
    records[count].length = length;
    records[count].bytes = malloc((size_t)length);
    if (records[count].bytes == NULL || fread(records[count].bytes, 1, (size_t)length, stdin) != (size_t)length)
      exit(2);
    count++;
  }
}

/* Exactly the bytes from the lowest to the highest of `elements`; *origin is where address 0 would lie. */
static unsigned char *memory_of(const stowage_type *type, int64_t elements, size_t *span, unsigned char **origin) {
  const struct stowage_bounds bounds = stowage_type_bounds(type);
  int64_t last;
  if (bounds.true_extent > MOST_BYTES || __builtin_mul_overflow(elements - 1, bounds.extent, &last)) return NULL;
  if (last > MOST_BYTES || last < -MOST_BYTES) return NULL;
  *span = (size_t)(bounds.true_extent + (last < 0 ? -last : last));
  unsigned char *memory = malloc(*span + (*span == 0));
  *origin = (unsigned char *)((uintptr_t)memory - (uintptr_t)(bounds.true_lower_bound + (last < 0 ? last : 0)));
  return memory;
}

static void moved(const stowage_type *type, uint64_t *state, size_t record) {
  const int64_t elements = 1 + (int64_t)drawn(state, 3), size = elements * stowage_type_size(type);
  size_t span;
  unsigned char *origin, *other_origin;
  if (size > MOST_BYTES) return;
  unsigned char *memory = memory_of(type, elements, &span, &origin);
  if (memory == NULL) return;
  unsigned char *other = memory_of(type, elements, &span, &other_origin), *whole = malloc((size_t)size + 1),
                *parts = malloc((size_t)size + 1), *again = malloc(span + 1);
  for (size_t i = 0; i < span; i++) memory[i] = (unsigned char)(i * 131 + 7);
  memset(other, 0xa5, span);
  if (stowage_pack(origin, elements, type, whole, size) != STOWAGE_OK) fail("pack", record);
  if (size > 0 && stowage_pack(origin, elements, type, whole, size - 1) != STOWAGE_RANGE) fail("room", record);
  for (int64_t first = 0, own; first < size; first += own) {
    own = 1 + (int64_t)drawn(state, (uint64_t)(size - first));
    unsigned char *part = malloc((size_t)own);
    if (stowage_pack_range(origin, elements, type, first, part, own) != STOWAGE_OK) fail("range", record);
    memcpy(parts + first, part, (size_t)own);
    if (stowage_unpack_range(part, own, type, first, other_origin, elements) != STOWAGE_OK) fail("unpack", record);
    free(part);
  }
  if (memcmp(whole, parts, (size_t)size) != 0) fail("expected the whole's bytes in ranges, got others", record);
  memcpy(again, other, span);
  memset(other, 0xa5, span);
  if (stowage_unpack(whole, size, type, other_origin, elements) != STOWAGE_OK) fail("unpack", record);
  if (memcmp(again, other, span) != 0) fail("expected the whole's memory of ranges, got other", record);
  if (stowage_copy(origin, elements, type, other_origin, elements, type) != STOWAGE_OK) fail("copy", record);
  if (memcmp(again, other, span) != 0) fail("expected a copy's memory as an unpack's, got other", record);
  free(memory);
  free(other);
  free(whole);
  free(parts);
  free(again);
}

static void soak_moves(uint64_t *state) {
  for (size_t i = 0; i < count; i++) {
    stowage_type *type;
    char text[256];
    if (stowage_commit_description(NULL, records[i].bytes, (size_t)records[i].length, &type) != STOWAGE_OK)
      fail("commit", i);
    stowage_explain(type, text, sizeof text);
    moved(type, state, i);
    stowage_type_free(type);
  }
}

/* Words of a description: small numbers, large ones, and those of other words. */
static size_t soak_damage(uint64_t *state, int64_t times) {
  static const int64_t special[] = {0, 1, -1, 2, 7, 12, INT64_MAX, INT64_MIN, INT64_MAX / 8, (int64_t)1 << 32};
  size_t committed = 0;
  for (int64_t i = 0; i < times; i++) {
    const struct record *record = &records[drawn(state, count)];
    const size_t words = (size_t)record->length / 8;
    int64_t *copy = malloc((size_t)record->length);
    memcpy(copy, record->bytes, (size_t)record->length);
    for (uint64_t changes = 1 + drawn(state, 3); changes > 0; changes--) {
      int64_t *word = &copy[drawn(state, words)];
      switch (drawn(state, 3)) {
      case 0: *word = special[drawn(state, 10)]; break;
      case 1: *word = (int64_t)((uint64_t)*word + drawn(state, 5) - 2); break;
      default: *word = copy[drawn(state, words)];
      }
    }
    const size_t length = drawn(state, 16) == 0 ? 8 * drawn(state, words + 1) : (size_t)record->length;
    stowage_type *type;
    if (stowage_commit_description(NULL, copy, length, &type) == STOWAGE_OK) {
      const struct stowage_bounds bounds = stowage_type_bounds(type);
      size_t span;
      unsigned char *origin, *memory = memory_of(type, 1, &span, &origin);
      const int64_t size = stowage_type_size(type);
      if (memory != NULL && size <= MOST_BYTES && bounds.true_extent >= 0) {
        unsigned char *packed = malloc((size_t)size + 1);
        memset(memory, 1, span);
        stowage_pack(origin, 1, type, packed, size);
        free(packed);
      }
      free(memory);
      stowage_type_free(type);
      committed++;
    }
    free(copy);
  }
  return committed;
}

static stowage_context *context;

static void *soak_thread(void *argument) {
  uint64_t state = 88172645463325252u + (uint64_t)(uintptr_t)argument;
  for (size_t i = 0; i < count; i++) {
    const size_t record = (size_t)drawn(&state, count < 64 ? count : 64);
    stowage_type *type;
    if (stowage_commit_description(context, records[record].bytes, (size_t)records[record].length, &type) != STOWAGE_OK)
      fail("commit", record);
    moved(type, &state, record);
    stowage_has_code(type);
    stowage_type_free(type);
  }
  return NULL;
}

static void soak_threads(void) {
  pthread_t threads[THREADS];
  context = stowage_open(NULL);
  if (context == NULL) exit(2);
  for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, soak_thread, (void *)(uintptr_t)(i + 1));
  for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  stowage_close(context);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  uint64_t state = strtoull(argv[2], NULL, 10) * 2 + 1;
  size_t committed = 0;
  read_records();
  if (strcmp(argv[1], "moves") == 0) soak_moves(&state);
  else if (strcmp(argv[1], "damage") == 0) committed = soak_damage(&state, strtoll(argv[3], NULL, 10));
  else soak_threads();
  printf("%zu types, %zu of the damaged ones committed\n", count, committed);
  for (size_t i = 0; i < count; i++) free(records[i].bytes);
  return 0;
}
