#include "probe.h"

const char probe_mark = 0;

static size_t offset_of(size_t at) {
  const size_t element = at / PROBE_SIZE, within = at % PROBE_SIZE;
  return element * PROBE_EXTENT + within / PROBE_BLOCK * PROBE_STRIDE + within % PROBE_BLOCK;
}

void probe_move(enum stowage_direction direction, unsigned char *user, unsigned char *packed, size_t first,
                size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char *scattered = user + offset_of(first + i);
    if (direction == STOWAGE_PACK) packed[i] = *scattered;
    else *scattered = packed[i];
  }
}

void probe_fill(unsigned char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) bytes[i] = (unsigned char)(i * 37 + 11);
}
