/* Memory of a real device, in its primary context. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuCtxSynchronize(void);
int cuMemAlloc_v2(uint64_t *address, size_t bytes);
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);

uint64_t device_memory(size_t bytes);
void to_device(uint64_t address, const void *from, size_t bytes);
void from_device(void *to, uint64_t address, size_t bytes);

static void must(int result) {
  if (result == 0) return;
  fprintf(stderr, "CUDA driver: %d\n", result);
  exit(4);
}

static void open_device(void) {
  static void *context;
  int device;
  if (context != NULL) return;
  must(cuInit(0));
  must(cuDeviceGet(&device, 0));
  must(cuDevicePrimaryCtxRetain(&context, device));
  must(cuCtxSetCurrent(context));
}

uint64_t device_memory(size_t bytes) {
  uint64_t address;
  open_device();
  must(cuMemAlloc_v2(&address, bytes));
  return address;
}
void to_device(uint64_t address, const void *from, size_t bytes) { must(cuMemcpyHtoD_v2(address, from, bytes)); }
void from_device(void *to, uint64_t address, size_t bytes) {
  must(cuCtxSynchronize());
  must(cuMemcpyDtoH_v2(to, address, bytes));
}
