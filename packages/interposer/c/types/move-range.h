/* One range of one message, by our code. */
#ifndef STOWAGE_MOVE_RANGE_H
#define STOWAGE_MOVE_RANGE_H

#include "exported.h"
#include "probe.h"
#include "stowage.h"

#include <stdint.h>

/* Moves bytes [first, first + length) of the packed stream of `count` elements at `user`, where the type's address 0
 * lies. `packed` is where byte `first` lies. Artifacts of the store have two moves, numbered as their directions. */
static inline void move_range(const stowage_kernel *kernel, enum stowage_direction direction, void *user, size_t count,
                              void *packed, size_t first, size_t length) {
  /* Where the stream's byte 0 would lie: an address, which nothing reads. */
  void *stream = (void *)((uintptr_t)packed - first);
  if (UNLIKELY(kernel == PROBE_KERNEL)) probe_move(direction, user, packed, first, length);
  else if (direction == STOWAGE_PACK)
    stowage_run(kernel, STOWAGE_PACK, user, stream, (int64_t)count, (int64_t)first, (int64_t)length);
  else stowage_run(kernel, STOWAGE_UNPACK, stream, user, (int64_t)count, (int64_t)first, (int64_t)length);
}

#endif
