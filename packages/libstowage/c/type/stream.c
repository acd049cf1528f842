/* Packing on a CUDA stream. */
#include "stowage_streams.h"

#include "context.h"

/* The entry of a type's kernels, asked for once; NULL: there is no context, or it keeps no more. */
static struct stowage_code *device_code(const stowage_type *constant) {
  /* What is found later of a type that does not change. */
  stowage_type *type = (stowage_type *)(uintptr_t)constant;
  struct stowage_code *code = atomic_load_explicit(&type->device, memory_order_acquire);
  if (code != NULL || type->context == NULL) return code;
  code = context_device_code(type->context, type->words, type->description_length);
  atomic_store_explicit(&type->device, code, memory_order_release);
  return code;
}

/* The range is checked: `length` bytes of a stream from its first on. */
static enum stowage_status enqueued(stowage_gpu *gpu, const stowage_type *type, size_t move,
                                    stowage_device_address source, stowage_device_address target, int64_t length,
                                    void *stream, int *result) {
  *result = STOWAGE_CUDA_SUCCESS;
  if (length == 0) return STOWAGE_OK;
  struct stowage_code *code = device_code(type);
  const stowage_kernel *kernel = code == NULL ? NULL : code_kernel(code);
  if (kernel == NULL) return STOWAGE_NO_CODE;
  const struct stowage_transfer transfer = {kernel, move, source, target, 0, length};
  *result = stowage_gpu_run(gpu, &transfer, 1, stream);
  return *result == STOWAGE_CUDA_SUCCESS ? STOWAGE_OK : STOWAGE_DEVICE;
}

enum stowage_status stowage_stream_pack(stowage_gpu *gpu, stowage_device_address source, int64_t count,
                                        const stowage_type *type, stowage_device_address target, int64_t target_bytes,
                                        void *stream, int *result) {
  int64_t length;
  if (__builtin_mul_overflow(count, type->size, &length) || !type_has_range(type, count, 0, length) ||
      target_bytes < length)
    return STOWAGE_RANGE;
  return enqueued(gpu, type, STORE_PACK, source, target, length, stream, result);
}

enum stowage_status stowage_stream_unpack(stowage_gpu *gpu, stowage_device_address source, int64_t source_bytes,
                                          const stowage_type *type, stowage_device_address target, int64_t count,
                                          void *stream, int *result) {
  int64_t length;
  if (__builtin_mul_overflow(count, type->size, &length) || !type_has_range(type, count, 0, length) ||
      source_bytes < length)
    return STOWAGE_RANGE;
  return enqueued(gpu, type, STORE_UNPACK, source, target, length, stream, result);
}

enum stowage_status stowage_stream_wait_code(const stowage_type *type, int64_t most_ns) {
  struct stowage_code *code = device_code(type);
  return code != NULL && code_wait(code, most_ns) ? STOWAGE_OK : STOWAGE_NO_CODE;
}
