/* Launches of kernels on buffers of one context: packed bytes lie in an arena, in pinned memory, which kernels write and read over the
 * bus, or on the host behind scratch memory of the device and the driver's copies. */
#ifndef STOWAGE_GPU_LAUNCH_H
#define STOWAGE_GPU_LAUNCH_H

#include "buffer.h"

/* Bytes [first, first + length) of a buffer's packed stream, a launch for no more than `most` of them; 0: as many as there are. */
struct device_range {
  const struct device_buffer *buffer;
  const stowage_kernel *kernel;
  size_t first, length, most;
};

/* With the context entered; begun when it returns, in the order of its stream. 0 or the driver's result. */
int device_launch(struct device_context *context, enum stowage_direction direction, const struct device_range ranges[], size_t count);

/* The same of a buffer whose elements lie side by side. */
int device_copy(struct device_context *context, enum stowage_direction direction, const struct device_range *range);

#endif
