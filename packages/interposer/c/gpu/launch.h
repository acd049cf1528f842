/* Launches of kernels on buffers of one context: packed bytes lie on a device, in pinned memory, which kernels write
 * and read over the bus, or on the host behind scratch memory of the device and the driver's copies. */
#ifndef STOWAGE_GPU_LAUNCH_H
#define STOWAGE_GPU_LAUNCH_H

#include "move.h"

/* With the context entered; begun when it returns, in the order of its stream. 0 or the driver's result. What has no
 * kernel is left out. */
int launch_all(struct gpu_context *context, enum stowage_direction direction, const struct gpu_move moves[],
               const stowage_kernel *const kernels[], size_t count);

#endif
