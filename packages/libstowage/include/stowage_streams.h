/* Types that are packed and unpacked on a CUDA stream, by kernels that a compile service makes: the driver is the one
 * that the process has loaded and initialised itself, and nothing of it is linked. */
#ifndef STOWAGE_STREAMS_H
#define STOWAGE_STREAMS_H

#include "stowage_cuda.h"
#include "stowage_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Enqueues the packing of `count` elements on a stream (a CUstream) of the current context, whose `gpu` is. Addresses
 * are ones that the device reaches; `source` is where the type's address 0 lies; `target` has `target_bytes`. The type
 * must outlive the work. *result gets the driver's CUresult. STOWAGE_NO_CODE: the type has no kernels, or none yet:
 * they are asked for with the first call. STOWAGE_DEVICE: the driver refused. STOWAGE_RANGE: as of stowage_pack. Calls
 * of one `gpu` are one at a time. */
enum stowage_status stowage_stream_pack(stowage_gpu *gpu, stowage_device_address source, int64_t count,
                                        const stowage_type *type, stowage_device_address target, int64_t target_bytes,
                                        void *stream, int *result);
/* Enqueues the unpacking of `count` elements out of `source`, which has `source_bytes`, as stowage_stream_pack does. */
enum stowage_status stowage_stream_unpack(stowage_gpu *gpu, stowage_device_address source, int64_t source_bytes,
                                          const stowage_type *type, stowage_device_address target, int64_t count,
                                          void *stream, int *result);
/* Waits until a type's kernels are there, at most so many nanoseconds: as stowage_wait_code. */
enum stowage_status stowage_stream_wait_code(const stowage_type *type, int64_t most_ns);

#ifdef __cplusplus
}
#endif
#endif
