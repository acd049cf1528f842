/* Packing and unpacking of buffers of devices: those of one context together, by launches, by the driver's copies, or
 * run by run. */
#ifndef STOWAGE_GPU_MOVE_H
#define STOWAGE_GPU_MOVE_H

#include "buffer.h"
#include "staging.h"

/* Where the first byte of a buffer's packed stream lies: on a device, or in memory of the host. */
struct gpu_packed {
  gpu_address far; /* 0: on the host */
  unsigned char *near;
  gpu_address near_address; /* as the device calls it; 0: it does not reach it */
};

/* In staging memory, from a byte on. */
struct gpu_packed packed_in(const struct gpu_staging *staging, size_t at);

/* Bytes [first, first + length) of the packed stream, all behind those that are moved already. */
struct gpu_move {
  const struct gpu_buffer *buffer;
  struct gpu_packed packed;
  size_t first, length;
  /* A launch for no more than so many; 0: as many as there are. */
  size_t most;
  /* Packed bytes on the host pass through memory of the device, which copies them: kernels reach no memory but its own.
   */
  int is_by_scratch;
  /* Keeps what `packed` is in where that is staging memory; what is NULL is taken in the buffer's context. Or NULL. */
  struct gpu_staging **staging;
};

enum { MOST_MOVES = 64 };

/* Done when it returns: waits, compares where that is asked for, counts and records. MPI_SUCCESS, or a class that was
 * told. */
int moves_run(enum stowage_direction direction, const struct gpu_move moves[], size_t count);

/* Packs up to MOST_MOVES buffers of one context to a device, by as few launches as can be, and then has the device
 * write a flag for each: not done when it returns. 0: not begun, or not all of it. */
int moves_begin(const struct gpu_move moves[], const struct gpu_flag flags[], size_t count);

/* One, with its context entered: begun when it returns, in the order of the stream. 0 or the driver's result. */
int move_begin(struct gpu_context *context, enum stowage_direction direction, const struct gpu_move *move);

/* Whether what is moved is compared or recorded: it is then waited for where it is moved. */
int moves_are_watched(void);

#endif
