/* What programs here call of the CUDA driver: the ABI of its cuda.h, which no toolkit is needed for. They are linked
 * with -l:libcuda.so.1. */
#ifndef CUDA_ABI_H
#define CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

struct handle {
  char bytes[64];
};

int cuInit(unsigned);
int cuDeviceGetCount(int *);
int cuDeviceGetName(char *, int, int);
int cuDevicePrimaryCtxRetain(void **, int);
int cuCtxPushCurrent_v2(void *);
int cuCtxGetCurrent(void **);
int cuCtxGetId(void *, unsigned long long *);
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemFree_v2(uint64_t);
int cuMemsetD8_v2(uint64_t, unsigned char, size_t);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t);
int cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuPointerGetAttribute(void *, int, uint64_t);
int cuPointerGetAttributes(unsigned, const int *, void **, uint64_t);
/* A driver that has all but these can do without kernels written by hand. */
__attribute__((weak)) int cuMemHostAlloc(void **, size_t, unsigned);
__attribute__((weak)) int cuModuleLoad(void **, const char *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                   void **);
int cuStreamCreate(void **, unsigned);
int cuStreamQuery(void *);
int cuStreamSynchronize(void *);
int cuStreamWriteValue32_v2(void *, uint64_t, uint32_t, unsigned);
int cuIpcGetMemHandle(struct handle *, uint64_t);
int cuIpcOpenMemHandle_v2(uint64_t *, struct handle, unsigned);

#endif
