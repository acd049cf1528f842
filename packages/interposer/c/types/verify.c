#define _GNU_SOURCE 1
#include "verify.h"

#include "mode.h"
#include "move-range.h"
#include "padding.h"
#include "store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t MOST_SHADOW = (size_t)64 << 20;
static uint64_t ranges, differences;

/* The constructor that made the type: its description's last node, whose second word is the combiner. */
static const char *constructor_of(const stowage_kernel *kernel) {
  static const char *const names[] = {
      "named",          "contiguous", "vector",   "hvector", "indexed", "hindexed", "indexed_block",
      "hindexed_block", "struct",     "subarray", "darray",  "resized", "dup"};
  size_t length, combiner = 0;
  const unsigned char *bytes = stowage_description(kernel, &length);
  for (size_t at = 0; bytes != NULL && at + 16 <= length;) {
    combiner = bytes[at + 8];
    at += 8 * (1 + ((size_t)bytes[at] | (size_t)bytes[at + 1] << 8 | (size_t)bytes[at + 2] << 16 |
                    (size_t)bytes[at + 3] << 24));
  }
  return combiner < sizeof names / sizeof *names ? names[combiner] : "unknown";
}

static void key_text(const stowage_kernel *kernel, char text[33]) {
  size_t length;
  uint8_t key[16];
  const void *description = stowage_description(kernel, &length);
  stowage_key(description, length, "", key);
  for (int i = 0; i < 16; i++) snprintf(text + 2 * i, 3, "%02x", key[i]);
}

static void write_all(const char *line, int length) {
  if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0) return;
}

/* Tells of a difference. Other messages of the type under way may differ too: one line is enough. */
static void differs(const struct verify_range *range, const char *direction, size_t at) {
  __atomic_fetch_add(&differences, 1, __ATOMIC_RELAXED);
  if (!code_refuse(range->entry)) return;
  const struct stowage_move *move = stowage_move_at(range->kernel, STORE_PACK);
  char key[33], line[320];
  key_text(range->kernel, key);
  write_all(line, snprintf(line, sizeof line,
                           "stowage: verify: %s of %zu %s, size %" PRId64 ", extent %" PRId64
                           ", description %s: bytes [%zu, %zu) "
                           "differ from the MPI's, first at %zu; messages of this type are native from now on\n",
                           direction, range->count, constructor_of(range->kernel), move->size, move->source.extent, key,
                           range->first, range->first + range->length, at));
}

static int pads(const struct verify_range *range, size_t at) {
  size_t length;
  const void *description = stowage_description(range->kernel, &length);
  return is_padding(description, length,
                    (range->first + at) % (uint64_t)stowage_move_at(range->kernel, STORE_PACK)->size);
}

int verify_packed(const struct verify_range *range, void *ours, const void *native) {
  const unsigned char *left = ours, *right = native;
  __atomic_fetch_add(&ranges, 1, __ATOMIC_RELAXED);
  if (memcmp(ours, native, range->length) == 0) return 0;
  for (size_t at = 0; at < range->length; at++) {
    if (left[at] == right[at] || pads(range, at)) continue;
    differs(range, "a pack", range->first + at);
    memcpy(ours, native, range->length);
    return 1;
  }
  return 0;
}

/* The bytes from the lowest of the elements that a range is of to their highest, in memory that is made as it is
 * written. */
struct shadow {
  unsigned char *bytes;
  size_t length;
  /* Where it begins, from the type's address 0 on. */
  int64_t from;
};

/* Elements may stand behind one another. */
static int span_of(struct shadow *shadow, const struct verify_range *range) {
  const struct stowage_move *move = stowage_move_at(range->kernel, STORE_UNPACK);
  if (range->length == 0) return 0;
  const struct stowage_bounds *bounds = &move->target;
  const int64_t first = (int64_t)range->first / move->size,
                last = (int64_t)(range->first + range->length - 1) / move->size;
  int64_t from, to, length;
  if (__builtin_mul_overflow(first, bounds->extent, &from) || __builtin_mul_overflow(last, bounds->extent, &to))
    return 0;
  if (__builtin_add_overflow(from < to ? to - from : from - to, bounds->true_extent, &length)) return 0;
  shadow->from = bounds->true_lower_bound + (from < to ? from : to);
  shadow->length = (size_t)length;
  return shadow->length <= MOST_SHADOW;
}

int verify_can_unpack(const struct verify_range *range) {
  struct shadow shadow;
  return span_of(&shadow, range);
}

/* By our code, into memory that is 0 before. */
static int unpack_aside(struct shadow *shadow, const struct verify_range *range, const void *packed) {
  if (!span_of(shadow, range)) return 0;
  void *memory = mmap(NULL, shadow->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  shadow->bytes = memory;
  void *user = (void *)((uintptr_t)memory - (uintptr_t)shadow->from);
  move_range(range->kernel, STOWAGE_UNPACK, user, range->count, (void *)(uintptr_t)packed, range->first, range->length);
  return 1;
}

static void give_back(struct shadow *shadow) { munmap(shadow->bytes, shadow->length); }

/* Unpacks bytes made of each byte's place in the range, and of the packed byte there. */
static int unpack_made(struct shadow *shadow, const struct verify_range *range, const unsigned char *packed,
                       unsigned char (*make)(size_t at, unsigned char byte, int which), int which) {
  unsigned char *made = malloc(range->length);
  if (made == NULL) return 0;
  for (size_t at = 0; at < range->length; at++) made[at] = make(at, packed[at], which);
  const int unpacked = unpack_aside(shadow, range, made);
  free(made);
  return unpacked;
}

static unsigned char complement(size_t at, unsigned char byte, int which) {
  (void)at, (void)which;
  return (unsigned char)~byte;
}

static unsigned char digit(size_t at, unsigned char byte, int which) {
  (void)byte;
  return (unsigned char)(at >> 8 * which);
}

/* Our unpack of the same bytes and of their complements: the two differ in every bit where it wrote, and are 0
 * elsewhere. */
struct both {
  struct shadow plain, inverse;
};

static int was_written(const struct both *both, size_t at) {
  return (both->plain.bytes[at] ^ both->inverse.bytes[at]) == 0xff;
}

/* Digits that tell which byte of the range each byte of the shadow is: four, which are unpacked one after the other. */
enum { DIGITS = 4 };

static size_t place_of(const struct shadow digits[DIGITS], size_t at) {
  size_t place = 0;
  for (int i = 0; i < DIGITS; i++) place |= (size_t)digits[i].bytes[at] << 8 * i;
  return place;
}

/* The first byte of the range that the user's memory has otherwise; the range's length: none but padding. */
static size_t first_of(const struct verify_range *range, const struct both *both, const unsigned char *user,
                       const struct shadow digits[DIGITS]) {
  size_t first = range->length;
  for (size_t at = 0; at < both->plain.length; at++) {
    if (!was_written(both, at) || user[both->plain.from + (int64_t)at] == both->plain.bytes[at]) continue;
    const size_t place = place_of(digits, at);
    if (place < first && !pads(range, place)) first = place;
  }
  return first;
}

/* The first byte of the range that our code writes nowhere, found by its packing what it unpacked. */
static size_t first_lost(const struct verify_range *range, const struct both *both) {
  unsigned char *packed = malloc(2 * range->length);
  size_t first = range->length;
  if (packed == NULL) return first;
  for (int i = 0; i < 2; i++) {
    const struct shadow *shadow = i == 0 ? &both->plain : &both->inverse;
    void *user = (void *)((uintptr_t)shadow->bytes - (uintptr_t)shadow->from);
    move_range(range->kernel, STOWAGE_PACK, user, range->count, packed + (size_t)i * range->length, range->first,
               range->length);
  }
  for (size_t at = 0; at < range->length && first == range->length; at++)
    if ((packed[at] ^ packed[range->length + at]) != 0xff && !pads(range, at)) first = at;
  free(packed);
  return first;
}

static void tell_first(const struct verify_range *range, const struct both *both, const unsigned char *user,
                       const unsigned char *packed) {
  struct shadow digits[DIGITS];
  int unpacked = 0;
  while (unpacked < DIGITS && unpack_made(&digits[unpacked], range, packed, digit, unpacked)) unpacked++;
  const size_t first = unpacked < DIGITS ? 0 : first_of(range, both, user, digits);
  if (first < range->length) differs(range, "an unpack", range->first + first);
  while (unpacked > 0) give_back(&digits[--unpacked]);
}

static void compare(const struct verify_range *range, const struct both *both, const unsigned char *user,
                    const unsigned char *packed) {
  size_t written = 0, other = 0;
  for (size_t at = 0; at < both->plain.length; at++) {
    if (!was_written(both, at)) continue;
    written++;
    other += user[both->plain.from + (int64_t)at] != both->plain.bytes[at];
  }
  if (other > 0) tell_first(range, both, user, packed);
  else if (written != range->length) {
    const size_t lost = first_lost(range, both);
    if (lost < range->length) differs(range, "an unpack", range->first + lost);
  }
}

void verify_unpacked(const struct verify_range *range, const void *user, const void *packed) {
  struct both both;
  if (!unpack_aside(&both.plain, range, packed)) return;
  if (unpack_made(&both.inverse, range, packed, complement, 0)) {
    __atomic_fetch_add(&ranges, 1, __ATOMIC_RELAXED);
    compare(range, &both, user, packed);
    give_back(&both.inverse);
  }
  give_back(&both.plain);
}

void verify_say(int rank) {
  char line[160];
  if (mode_verifies())
    write_all(line, snprintf(line, sizeof line,
                             "stowage: verify: rank %d: %" PRIu64 " ranges compared, %" PRIu64 " differences\n", rank,
                             ranges, differences));
}
