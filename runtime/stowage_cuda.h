/* Launches the kernels for GPUs that stowage.h loads, through the CUDA driver API of a process that has loaded and
 * initialised it itself: a process that has not never loads it. One source beside stowage.c, C11; nothing of CUDA's
 * toolkit. */
#ifndef STOWAGE_CUDA_H
#define STOWAGE_CUDA_H

#include "stowage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the driver's functions take: cuda.h's types, whose ABI these are. */
typedef uint64_t stowage_device_address;
enum { STOWAGE_CUDA_SUCCESS = 0, STOWAGE_CUDA_OUT_OF_MEMORY = 2, STOWAGE_CUDA_ERROR_FIRST = 1 };

/* CUDA_MEMCPY2D_v2. Memory types: 1 host, 2 device. */
struct stowage_cuda_copy_2d {
  size_t source_x, source_y;
  unsigned source_type;
  const void *source_host;
  stowage_device_address source_device;
  void *source_array;
  size_t source_pitch, target_x, target_y;
  unsigned target_type;
  void *target_host;
  stowage_device_address target_device;
  void *target_array;
  size_t target_pitch, width, height;
};

/* CUipcMemHandle: passed by value. */
struct stowage_cuda_ipc_handle {
  unsigned char bytes[64];
};

/* CUstreamBatchMemOpParams. */
struct stowage_cuda_memory_operation {
  unsigned kind;
  stowage_device_address address;
  uint64_t value;
  unsigned flags;
  uint64_t rest[2];
};
enum { STOWAGE_CUDA_WRITE_32 = 2 };

/* The driver's functions by their names; each gives 0 or a CUresult. */
struct stowage_cuda {
  int (*cuPointerGetAttributes)(unsigned count, const int *attributes, void **values, stowage_device_address pointer);
  int (*cuCtxGetCurrent)(void **context);
  int (*cuCtxPushCurrent_v2)(void *context);
  int (*cuCtxPopCurrent_v2)(void **context);
  int (*cuCtxGetId)(void *context, unsigned long long *id); /* NULL before CUDA 12 */
  int (*cuDevicePrimaryCtxRetain)(void **context, int device);
  int (*cuStreamCreate)(void **stream, unsigned flags);
  int (*cuStreamSynchronize)(void *stream);
  int (*cuMemAlloc_v2)(stowage_device_address *address, size_t bytes);
  int (*cuMemFree_v2)(stowage_device_address address);
  int (*cuMemHostRegister_v2)(void *memory, size_t bytes, unsigned flags);
  int (*cuMemHostUnregister)(void *memory);
  int (*cuMemHostGetDevicePointer_v2)(stowage_device_address *address, void *memory, unsigned flags);
  int (*cuMemcpyHtoDAsync_v2)(stowage_device_address to, const void *from, size_t bytes, void *stream);
  int (*cuMemcpyDtoHAsync_v2)(void *to, stowage_device_address from, size_t bytes, void *stream);
  int (*cuMemcpyDtoDAsync_v2)(stowage_device_address to, stowage_device_address from, size_t bytes, void *stream);
  int (*cuMemcpy2DAsync_v2)(const struct stowage_cuda_copy_2d *copy, void *stream);
  int (*cuModuleLoadData)(void **module, const void *image);
  int (*cuModuleGetFunction)(void **function, void *module, const char *name);
  int (*cuLaunchKernel)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **parameters,
                        void **extra);
  int (*cuGetErrorName)(int result, const char **name);
  /* Flags in the order of a stream, and memory of other processes; NULL where there is none of it. */
  int (*cuStreamWriteValue32_v2)(void *stream, stowage_device_address address, uint32_t value, unsigned flags);
  int (*cuStreamBatchMemOp_v2)(void *stream, unsigned count, struct stowage_cuda_memory_operation *operations,
                               unsigned flags);
  int (*cuIpcGetMemHandle)(struct stowage_cuda_ipc_handle *handle, stowage_device_address address);
  int (*cuIpcOpenMemHandle_v2)(stowage_device_address *address, struct stowage_cuda_ipc_handle handle, unsigned flags);
};

/* The driver's functions in a process that has loaded libcuda; NULL: it has not, or it is one without them. Found once.
 */
const struct stowage_cuda *stowage_cuda(void);

/* The kernels and tables that one context has loaded. It owns nothing that outlives the context, and is never closed:
 * the driver frees a context's modules and memory with it. */
typedef struct stowage_gpu stowage_gpu;

/* Makes a stowage_gpu for one context. Returns NULL where the driver is not loaded, or there is no memory. Calls of one
 * are one at a time, with its context current. */
stowage_gpu *stowage_gpu_open(void);
/* Forgets what a context had, which is gone. */
void stowage_gpu_forget(stowage_gpu *gpu);

/* Bytes [first, first + length) of the packed stream of a move of a kernel for GPUs. `source` and `target` are
 * addresses that the device reaches: of a datatype where its address 0 lies, of a packed stream where byte 0 of the
 * whole stream lies or would lie. */
struct stowage_transfer {
  const stowage_kernel *kernel;
  size_t move;
  stowage_device_address source, target;
  int64_t first, length;
};

/* The mean length of the contiguous blocks of a kernel's datatype, in bytes; 0: it is no kernel for GPUs. */
uint64_t stowage_gpu_block_bytes(const stowage_kernel *kernel);

/* Launches `count` transfers on a stream (a CUstream), in as few launches as their kernels allow. Returns 0, or the
 * driver's CUresult. */
int stowage_gpu_run(stowage_gpu *gpu, const struct stowage_transfer *transfers, size_t count, void *stream);

#ifdef __cplusplus
}
#endif
#endif
