#include "driver.h"

#include <string.h>

/* CUpointer_attribute, CUmemorytype; CU_STREAM_DEFAULT; CU_MEMHOSTREGISTER_PORTABLE and _DEVICEMAP;
 * CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS. */
enum { ATTRIBUTE_CONTEXT = 1, ATTRIBUTE_MEMORY_TYPE = 2, ATTRIBUTE_IS_MANAGED = 8, ATTRIBUTE_DEVICE_ORDINAL = 9 };
enum { MEMORY_HOST = 1, MEMORY_DEVICE = 2 };
enum { STREAM_BLOCKING = 0, REGISTER_PORTABLE = 1, REGISTER_DEVICEMAP = 2, LAZY_PEER_ACCESS = 1 };

_Static_assert(sizeof(struct gpu_handle) == sizeof(struct stowage_cuda_ipc_handle), "a handle is CUDA's");

int driver_is_loaded(void) { return stowage_cuda() != NULL; }

const char *driver_name_of(int result) {
  const char *name = NULL;
  return stowage_cuda()->cuGetErrorName(result, &name) == 0 && name != NULL ? name : "an unknown result";
}

const char *driver_success(void) { return "CUDA_SUCCESS"; }

int driver_holds(const void *pointer, struct gpu_place *place) {
  const int attributes[] = {ATTRIBUTE_MEMORY_TYPE, ATTRIBUTE_IS_MANAGED, ATTRIBUTE_CONTEXT, ATTRIBUTE_DEVICE_ORDINAL};
  unsigned type = 0, is_managed = 0;
  *place = (struct gpu_place){NULL, -1};
  void *values[] = {&type, &is_managed, &place->context, &place->ordinal};
  const gpu_address address = (gpu_address)(uintptr_t)pointer;
  if (address == 0 || stowage_cuda()->cuPointerGetAttributes(4, attributes, values, address) != 0) return 0;
  return type == MEMORY_DEVICE && (is_managed & 1) == 0;
}

int driver_primary(int ordinal, void **context) { return stowage_cuda()->cuDevicePrimaryCtxRetain(context, ordinal); }

unsigned long long driver_id_of(void *context) {
  unsigned long long id = 0;
  if (stowage_cuda()->cuCtxGetId != NULL) stowage_cuda()->cuCtxGetId(context, &id);
  return id;
}

int driver_push(void *context, int *is_pushed) {
  void *current = NULL;
  *is_pushed = 0;
  const int result = stowage_cuda()->cuCtxGetCurrent(&current);
  if (result != 0 || current == context) return result;
  *is_pushed = 1;
  return stowage_cuda()->cuCtxPushCurrent_v2(context);
}

void driver_pop(void) {
  void *ours;
  stowage_cuda()->cuCtxPopCurrent_v2(&ours);
}

int driver_make_stream(void **stream) { return stowage_cuda()->cuStreamCreate(stream, STREAM_BLOCKING); }
int driver_synchronise(void *stream) { return stowage_cuda()->cuStreamSynchronize(stream); }
int driver_allocate(gpu_address *address, size_t bytes) { return stowage_cuda()->cuMemAlloc_v2(address, bytes); }
void driver_free(gpu_address address) { stowage_cuda()->cuMemFree_v2(address); }

int driver_pin(void *memory, size_t bytes, gpu_address *address) {
  const struct stowage_cuda *cuda = stowage_cuda();
  const int result = cuda->cuMemHostRegister_v2(memory, bytes, REGISTER_PORTABLE | REGISTER_DEVICEMAP);
  if (result != 0) return result;
  const int mapped = cuda->cuMemHostGetDevicePointer_v2(address, memory, 0);
  if (mapped != 0) cuda->cuMemHostUnregister(memory);
  return mapped;
}

int driver_copy(enum stowage_direction direction, gpu_address device, void *host, size_t bytes, void *stream) {
  if (direction == STOWAGE_PACK) return stowage_cuda()->cuMemcpyDtoHAsync_v2(host, device, bytes, stream);
  return stowage_cuda()->cuMemcpyHtoDAsync_v2(device, host, bytes, stream);
}

int driver_copy_rows(enum stowage_direction direction, gpu_address device, void *host, size_t bytes, size_t rows,
                     size_t stride, void *stream) {
  const int packs = direction == STOWAGE_PACK;
  struct stowage_cuda_copy_2d copy = {.width = bytes, .height = rows, .source_pitch = stride, .target_pitch = stride};
  copy.source_type = packs ? MEMORY_DEVICE : MEMORY_HOST;
  copy.target_type = packs ? MEMORY_HOST : MEMORY_DEVICE;
  if (packs) copy.source_device = device, copy.target_host = host;
  else copy.source_host = host, copy.target_device = device;
  return stowage_cuda()->cuMemcpy2DAsync_v2(&copy, stream);
}

int driver_copy_between(gpu_address to, gpu_address from, size_t bytes, void *stream) {
  return stowage_cuda()->cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
}

int driver_has_flags(void) { return stowage_cuda()->cuStreamWriteValue32_v2 != NULL; }

int driver_write_flags(const struct gpu_flag flags[], size_t count, void *stream) {
  const struct stowage_cuda *cuda = stowage_cuda();
  struct stowage_cuda_memory_operation writes[DRIVER_MOST_FLAGS] = {{0}};
  if (count > 1 && count <= DRIVER_MOST_FLAGS && cuda->cuStreamBatchMemOp_v2 != NULL) {
    for (size_t i = 0; i < count; i++) {
      writes[i].kind = STOWAGE_CUDA_WRITE_32;
      writes[i].address = flags[i].address;
      writes[i].value = flags[i].value;
    }
    return cuda->cuStreamBatchMemOp_v2(stream, (unsigned)count, writes, 0);
  }
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++)
    result = cuda->cuStreamWriteValue32_v2(stream, flags[i].address, flags[i].value, 0);
  return result;
}

int driver_shares(void) {
  return stowage_cuda()->cuIpcGetMemHandle != NULL && stowage_cuda()->cuIpcOpenMemHandle_v2 != NULL;
}

int driver_share(gpu_address address, struct gpu_handle *handle) {
  struct stowage_cuda_ipc_handle own;
  const int result = stowage_cuda()->cuIpcGetMemHandle(&own, address);
  if (result == 0) memcpy(handle->bytes, own.bytes, sizeof own.bytes);
  return result;
}

int driver_open(const struct gpu_handle *handle, gpu_address *address) {
  struct stowage_cuda_ipc_handle own;
  memcpy(own.bytes, handle->bytes, sizeof own.bytes);
  return stowage_cuda()->cuIpcOpenMemHandle_v2(address, own, LAZY_PEER_ACCESS);
}
