/* Both ways to a checksum, of the first bytes of a file for every length: checksum FILE prints a line a length. Whole,
 * in two parts, and by tables alone. */
#include "checksum.h"

#include <stdio.h>

enum { MOST = 4096 };

int main(int argc, char **argv) {
  static unsigned char bytes[MOST];
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL || fread(bytes, 1, MOST, file) != MOST) return 1;
  for (size_t length = 0; length <= MOST; length++) {
    const size_t part = length / 3;
    printf("%08x %08x %08x\n", crc_over(0, bytes, length),
           crc_over(crc_over(0, bytes, part), bytes + part, length - part), ~crc_by_tables(~0U, bytes, length));
  }
  return fclose(file);
}
