/* Packs and unpacks every golden type with the functions of one static library, whole and in ranges; writes what it
 * packed to standard output, a type after another. cases.h is written by the test. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*element)(const void *restrict, void *restrict);
typedef void (*move)(const void *restrict, void *restrict, int64_t, int64_t, int64_t);
struct golden {
  move pack, unpack;
  element pack_element, unpack_element;
  int64_t count, size, extent, buffer, origin, touched;
};

#include "cases.h"

static int wrong;

static void expect(int holds, size_t type, const char *what) {
  if (holds) return;
  fprintf(stderr, "type %zu: %s\n", type, what);
  wrong = 1;
}

static unsigned char *filled(int64_t bytes, int value) {
  unsigned char *buffer = malloc((size_t)bytes + 1);
  if (buffer == NULL) abort();
  return memset(buffer, value, (size_t)bytes + 1);
}

/* The whole stream in ranges of odd lengths, from the last to the first. */
static void in_ranges(move moved, const unsigned char *source, unsigned char *target, int64_t count, int64_t size,
                      int64_t step) {
  const int64_t total = count * size;
  for (int64_t first = (total - 1) / step * step; total > 0 && first >= 0; first -= step) {
    moved(source, target, count, first, first + step > total ? total - first : step);
  }
}

static int64_t same_in_both(const unsigned char *a, const unsigned char *b, int64_t bytes) {
  int64_t same = 0;
  for (int64_t i = 0; i < bytes; i++) same += a[i] == b[i];
  return same;
}

/* What was unpacked over zeros and over ones is alike where a byte was written, and nowhere else. */
static void check_unpacked(const struct golden *g, size_t type, const unsigned char *pattern, unsigned char *zeros,
                           unsigned char *ones) {
  expect(same_in_both(zeros, ones, g->buffer) == g->touched, type, "unpack wrote other bytes than the type's");
  for (int64_t i = 0; i < g->buffer; i++) {
    if (zeros[i] == ones[i] && zeros[i] != pattern[i]) return expect(0, type, "unpack wrote other values");
  }
}

/* Element by element, with the functions of one element. */
static void check_elements(const struct golden *g, size_t type, const unsigned char *pattern,
                           const unsigned char *packed, const unsigned char *whole) {
  const int64_t total = g->count * g->size;
  unsigned char *elements = filled(total, 0x5a), *unpacked = filled(g->buffer, 0);
  for (int64_t i = 0; i < g->count; i++) g->pack_element(pattern + g->origin + i * g->extent, elements + i * g->size);
  for (int64_t i = 0; i < g->count; i++) g->unpack_element(packed + i * g->size, unpacked + g->origin + i * g->extent);
  expect(memcmp(packed, elements, (size_t)total + 1) == 0, type, "elements pack other bytes than the whole");
  expect(memcmp(unpacked, whole, (size_t)g->buffer + 1) == 0, type, "elements unpack other bytes than the whole");
  free(elements), free(unpacked);
}

static void check(const struct golden *g, size_t type) {
  const int64_t total = g->count * g->size;
  unsigned char *pattern = filled(g->buffer, 0), *packed = filled(total, 0x5a), *parts = filled(total, 0x5a);
  for (int64_t i = 0; i < g->buffer; i++) pattern[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7);
  g->pack(pattern + g->origin, packed, g->count, 0, total);
  fwrite(packed, 1, (size_t)total, stdout);
  const int64_t step = total / 5 | 1;
  in_ranges(g->pack, pattern + g->origin, parts, g->count, g->size, step);
  expect(memcmp(packed, parts, (size_t)total + 1) == 0, type, "ranges pack other bytes than the whole");
  unsigned char *zeros = filled(g->buffer, 0), *ones = filled(g->buffer, 0xff);
  g->unpack(packed, zeros + g->origin, g->count, 0, total);
  check_elements(g, type, pattern, packed, zeros);
  in_ranges(g->unpack, packed, ones + g->origin, g->count, g->size, step);
  check_unpacked(g, type, pattern, zeros, ones);
  free(pattern), free(packed), free(parts), free(zeros), free(ones);
}

int main(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i], i);
  return wrong;
}
