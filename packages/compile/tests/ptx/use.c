/* Packs and unpacks with GPU kernels, whole and in ranges, at addresses of every alignment, and compares with plain
 * loops. With an argument the memory is a real device's: cuda.c beside this file then stands for host memory. */
#include "types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t device_memory(size_t bytes);
void to_device(uint64_t address, const void *from, size_t bytes);
void from_device(void *to, uint64_t address, size_t bytes);

enum { BYTES = 1 << 16 };
static unsigned char pattern[BYTES], got[BYTES], expected[BYTES];
static uint64_t source, target;
static int wrong;

typedef int (*launch)(uint64_t, uint64_t, int64_t, int64_t, void *);

static int64_t column(int64_t p) { return p / 64 * column_extent + p % 64 / 8 * 40 + p % 8; }
static int64_t bytes_of(int64_t p) { return p / 9 * bytes_extent + p % 9 / 3 * 7 + p % 3; }
static int64_t listed(int64_t p) {
  static const int64_t places[] = {5, 0, 9};
  return p / 24 * listed_extent + places[p % 24 / 8] * 8 + p % 8;
}

static void check(launch pack, launch unpack, int64_t (*offset)(int64_t), int64_t size, int64_t shift,
                  const char *name) {
  const int64_t total = 5 * size, first = total / 3, length = total / 2;
  const int64_t ranges[][2] = {{0, total}, {first, length}, {1, 1}, {total - 3, 3}};
  for (int i = 0; i < 4; i++) {
    memset(expected, 0xee, BYTES);
    for (int64_t p = ranges[i][0]; p < ranges[i][0] + ranges[i][1]; p++)
      expected[shift + p] = pattern[shift + offset(p)];
    memset(got, 0xee, BYTES);
    to_device(source, pattern, BYTES), to_device(target, got, BYTES);
    if (pack(source + (uint64_t)shift, target + (uint64_t)shift, ranges[i][0], ranges[i][1], NULL) != 0) wrong++;
    from_device(got, target, BYTES);
    if (memcmp(got, expected, BYTES) != 0)
      wrong++, fprintf(stderr, "pack %s, range %d, shift %d\n", name, i, (int)shift);
    memset(expected, 0xee, BYTES);
    for (int64_t p = ranges[i][0]; p < ranges[i][0] + ranges[i][1]; p++)
      expected[shift + offset(p)] = pattern[shift + p];
    memset(got, 0xee, BYTES);
    to_device(target, got, BYTES);
    if (unpack(source + (uint64_t)shift, target + (uint64_t)shift, ranges[i][0], ranges[i][1], NULL) != 0) wrong++;
    from_device(got, target, BYTES);
    if (memcmp(got, expected, BYTES) != 0)
      wrong++, fprintf(stderr, "unpack %s, range %d, shift %d\n", name, i, (int)shift);
  }
}

int main(void) {
  for (int i = 0; i < BYTES; i++) pattern[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + 7);
  source = device_memory(BYTES), target = device_memory(BYTES);
  const int result = types_load();
  if (result != 0) return fprintf(stderr, "load: %d\n", result), 3;
  for (int64_t shift = 0; shift < 20; shift++) {
    check(column_pack, column_unpack, column, column_size, shift, "column");
    check(bytes_pack, bytes_unpack, bytes_of, bytes_size, shift, "bytes");
    check(listed_pack, listed_unpack, listed, listed_size, shift, "listed");
  }
  types_unload();
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
