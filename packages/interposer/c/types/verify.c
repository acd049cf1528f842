#define _GNU_SOURCE 1
#include "verify.h"

#include "mode.h"
#include "store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static const size_t MOST_SHADOW = (size_t)16 << 20;
static uint64_t ranges, differences;

/* The constructor that made the type: its description's last node, whose second word is the combiner. */
static const char *constructor_of(const stowage_kernel *kernel) {
  static const char *const names[] = {"named",          "contiguous", "vector",   "hvector", "indexed", "hindexed", "indexed_block",
                                      "hindexed_block", "struct",     "subarray", "darray",  "resized", "dup"};
  size_t length, combiner = 0;
  const unsigned char *bytes = stowage_description(kernel, &length);
  for (size_t at = 0; bytes != NULL && at + 16 <= length;) {
    combiner = bytes[at + 8];
    at += 8 * (1 + ((size_t)bytes[at] | (size_t)bytes[at + 1] << 8 | (size_t)bytes[at + 2] << 16 | (size_t)bytes[at + 3] << 24));
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

static void differs(const struct verify_range *range, const char *direction, size_t at) {
  __atomic_store_n(&mode_paused, 1, __ATOMIC_RELAXED);
  if (__atomic_fetch_add(&differences, 1, __ATOMIC_RELAXED) > 0) return;
  const struct stowage_move *move = stowage_move(range->kernel, STORE_PACK);
  char key[33], line[320];
  key_text(range->kernel, key);
  write_all(line, snprintf(line, sizeof line,
                           "stowage: verify: %s of %zu %s, size %" PRId64 ", extent %" PRId64 ", description %s: bytes [%zu, %zu) "
                           "differ from the MPI's, first at %zu; messages are native from now on\n",
                           direction, range->count, constructor_of(range->kernel), move->size, move->source.extent, key,
                           range->first, range->first + range->length, at));
}

static size_t first_difference(const unsigned char *left, const unsigned char *right) {
  size_t at = 0;
  while (left[at] == right[at]) at++;
  return at;
}

void verify_packed(const struct verify_range *range, void *ours, const void *native) {
  __atomic_fetch_add(&ranges, 1, __ATOMIC_RELAXED);
  if (memcmp(ours, native, range->length) == 0) return;
  differs(range, "a pack", range->first + first_difference(ours, native));
  memcpy(ours, native, range->length);
}

/* From the lowest byte of the elements that the range is of to their highest; elements may stand behind one another. */
static int span_of(struct verify_shadow *shadow, const struct verify_range *range, unsigned char *user) {
  const struct stowage_move *move = stowage_move(range->kernel, STORE_UNPACK);
  if (range->length == 0) return 0;
  const struct stowage_bounds *bounds = &move->target;
  const int64_t first = (int64_t)range->first / move->size, last = (int64_t)(range->first + range->length - 1) / move->size;
  int64_t from, to, length;
  if (__builtin_mul_overflow(first, bounds->extent, &from) || __builtin_mul_overflow(last, bounds->extent, &to)) return 0;
  if (__builtin_add_overflow(from < to ? to - from : from - to, bounds->true_extent, &length)) return 0;
  shadow->user = user + bounds->true_lower_bound + (from < to ? from : to);
  shadow->length = (size_t)length;
  return shadow->length <= MOST_SHADOW;
}

int verify_take_shadow(struct verify_shadow *shadow, const struct verify_range *range, void *user) {
  if (!span_of(shadow, range, user) || (shadow->copy = malloc(shadow->length + 1)) == NULL) return 0;
  /* Gaps may be unmapped: the kernel reads as far as it can. */
  const struct iovec here = {shadow->copy, shadow->length}, there = {shadow->user, shadow->length};
  if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)shadow->length) return 1;
  free(shadow->copy);
  return 0;
}

void verify_take_back(struct verify_shadow *shadow) {
  for (size_t i = 0; i < shadow->length; i++)
    if (shadow->user[i] != shadow->copy[i]) shadow->user[i] = shadow->copy[i];
  free(shadow->copy);
}

void *verify_shadow_user(const struct verify_shadow *shadow, void *user) {
  return (void *)((uintptr_t)shadow->copy + ((uintptr_t)user - (uintptr_t)shadow->user));
}

void verify_unpacked(struct verify_shadow *shadow, const struct verify_range *range) {
  __atomic_fetch_add(&ranges, 1, __ATOMIC_RELAXED);
  if (memcmp(shadow->user, shadow->copy, shadow->length) != 0) {
    differs(range, "an unpack", range->first);
    memcpy(shadow->user, shadow->copy, shadow->length);
  }
  free(shadow->copy);
}

void verify_say(int rank) {
  char line[160];
  if (mode_verifies())
    write_all(line, snprintf(line, sizeof line, "stowage: verify: rank %d: %" PRIu64 " ranges compared, %" PRIu64 " differences\n",
                             rank, ranges, differences));
}
