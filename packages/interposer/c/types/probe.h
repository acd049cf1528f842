/* The datatype that the self-test moves: PROBE_COUNT elements of a vector of blocks of bytes, in plain C. */
#ifndef STOWAGE_PROBE_H
#define STOWAGE_PROBE_H

#include "stowage.h"

#include <stddef.h>

enum { PROBE_BLOCKS = 5, PROBE_BLOCK = 3, PROBE_STRIDE = 7, PROBE_COUNT = 4 };
enum { PROBE_SIZE = PROBE_BLOCKS * PROBE_BLOCK, PROBE_EXTENT = (PROBE_BLOCKS - 1) * PROBE_STRIDE + PROBE_BLOCK };
enum { PROBE_BYTES = PROBE_COUNT * PROBE_SIZE, PROBE_SPAN = PROBE_COUNT * PROBE_EXTENT };

/* Stands for the kernel of it. */
extern const char probe_mark;
#define PROBE_KERNEL ((const stowage_kernel *)(const void *)&probe_mark)

/* Moves bytes [first, first + length) of the packed stream; `packed` is where byte `first` lies. */
void probe_move(enum stowage_direction direction, unsigned char *user, unsigned char *packed, size_t first,
                size_t length);

/* Bytes that are not alike. */
void probe_fill(unsigned char *bytes, size_t length);

#endif
