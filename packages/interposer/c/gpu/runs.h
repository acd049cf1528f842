/* Packing without a kernel: the driver copies run by run, and the MPI packs in memory of the host. Slow, and of any
 * datatype. */
#ifndef STOWAGE_GPU_RUNS_H
#define STOWAGE_GPU_RUNS_H

#include "buffer.h"
#include "context.h"

/* Packs all elements into `packed`, or unpacks the first `bytes` bytes: only bytes of the datatype are read or written.
 * With the buffer's context entered; done when it returns. 0 or the driver's result. */
int runs_pack(struct gpu_context *context, const struct gpu_buffer *buffer, void *packed);
int runs_unpack(struct gpu_context *context, const struct gpu_buffer *buffer, const void *packed, size_t bytes);

#endif
