#include "launch.h"

#include "route-table.h"
#include "store.h"

/* The context's, taken by whoever is inside: the next one's work on the stream comes behind it. */
enum { SCRATCH_BYTES = 16 << 20 };
/* Parts lie in it as in the stream modulo this, so that kernels find the words of both sides aligned alike. */
enum { PHASE_BYTES = 256 };
enum { MOST_PARTS = 64 };

/* What one launch takes, and the copies between scratch memory and the host. */
struct parts {
  struct device_context *context;
  enum stowage_direction direction;
  struct stowage_transfer transfers[MOST_PARTS];
  struct {
    unsigned char *host;
    stowage_device_address scratch;
    size_t bytes;
  } copies[MOST_PARTS];
  size_t count, copied, used;
};

static int copy_all(const struct parts *parts) {
  const struct stowage_cuda *cuda = stowage_cuda();
  void *stream = parts->context->stream;
  int result = 0;
  for (size_t i = 0; i < parts->copied && result == 0; i++) {
    if (parts->direction == STOWAGE_PACK) result = cuda->cuMemcpyDtoHAsync_v2(parts->copies[i].host, parts->copies[i].scratch, parts->copies[i].bytes, stream);
    else result = cuda->cuMemcpyHtoDAsync_v2(parts->copies[i].scratch, parts->copies[i].host, parts->copies[i].bytes, stream);
  }
  return result;
}

static int flush(struct parts *parts) {
  int result = parts->direction == STOWAGE_UNPACK ? copy_all(parts) : 0;
  if (result == 0 && parts->count > 0) result = stowage_gpu_run(parts->context->gpu, parts->transfers, parts->count, parts->context->stream);
  if (result == 0 && parts->direction == STOWAGE_PACK) result = copy_all(parts);
  parts->count = parts->copied = parts->used = 0;
  return result;
}

/* `packed`: where byte 0 of the stream lies, or would. */
static void put(struct parts *parts, const struct device_range *range, stowage_device_address packed) {
  const stowage_device_address user = (stowage_device_address)(uintptr_t)range->buffer->user;
  const int packs = parts->direction == STOWAGE_PACK;
  parts->transfers[parts->count++] =
      (struct stowage_transfer){range->kernel,         packs ? STORE_PACK : STORE_UNPACK, packs ? user : packed,
                                packs ? packed : user, (int64_t)range->first,             (int64_t)range->length};
}

static stowage_device_address scratch_of(struct device_context *context) {
  if (context->scratch == 0 && stowage_cuda()->cuMemAlloc_v2(&context->scratch, SCRATCH_BYTES) != 0) context->scratch = 0;
  return context->scratch;
}

static void put_in_scratch(struct parts *parts, const struct device_range *range) {
  const size_t at = (parts->used + PHASE_BYTES - 1) / PHASE_BYTES * PHASE_BYTES + range->first % PHASE_BYTES;
  const stowage_device_address scratch = parts->context->scratch + at;
  put(parts, range, scratch - range->first);
  parts->copies[parts->copied].host = range->buffer->packed + range->first;
  parts->copies[parts->copied].scratch = scratch;
  parts->copies[parts->copied++].bytes = range->length;
  parts->used = at + range->length;
}

static size_t room_in(const struct parts *parts) {
  const size_t taken = parts->used + 2 * PHASE_BYTES;
  return parts->count == MOST_PARTS || taken >= SCRATCH_BYTES ? 0 : SCRATCH_BYTES - taken;
}

/* Kernels reach pinned memory alone; a device without scratch memory has them reach that. */
static int goes_by_scratch(struct device_context *context, const struct device_range *range, int *result) {
  const struct device_buffer *b = range->buffer;
  const int is_pageable = b->far == 0 && b->staging->address == 0;
  if (b->far != 0) return 0;
  if (!is_pageable && device_route_of_whole(b->bytes, (size_t)stowage_gpu_block_bytes(range->kernel)) != ROUTE_DEVICE) return 0;
  if (scratch_of(context) != 0) return 1;
  if (is_pageable) *result = STOWAGE_CUDA_OUT_OF_MEMORY;
  return 0;
}

static int add(struct parts *parts, const struct device_range *range) {
  const struct device_buffer *b = range->buffer;
  int result = 0;
  const int by_scratch = goes_by_scratch(parts->context, range, &result);
  struct device_range part = *range;
  for (size_t done = 0; done < range->length && result == 0; done += part.length) {
    if (room_in(parts) == 0) result = flush(parts);
    part.first = range->first + done;
    part.length = range->length - done;
    if (range->most > 0 && part.length > range->most) part.length = range->most;
    if (by_scratch && part.length > room_in(parts)) part.length = room_in(parts);
    if (by_scratch) put_in_scratch(parts, &part);
    else put(parts, &part, b->far != 0 ? b->far : b->staging->address + (stowage_device_address)(b->packed - b->staging->memory));
  }
  return result;
}

int device_launch(struct device_context *context, enum stowage_direction direction, const struct device_range ranges[], size_t count) {
  struct parts parts;
  parts.context = context;
  parts.direction = direction;
  parts.count = parts.copied = parts.used = 0;
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++) result = add(&parts, &ranges[i]);
  const int last = flush(&parts);
  return result == 0 ? last : result;
}

int device_copy(struct device_context *context, enum stowage_direction direction, const struct device_range *range) {
  const struct device_buffer *b = range->buffer;
  const struct stowage_cuda *cuda = stowage_cuda();
  const stowage_device_address user = (stowage_device_address)(uintptr_t)b->user + range->first, far = b->far + range->first;
  const int packs = direction == STOWAGE_PACK;
  if (b->far != 0) return cuda->cuMemcpyDtoDAsync_v2(packs ? far : user, packs ? user : far, range->length, context->stream);
  if (packs) return cuda->cuMemcpyDtoHAsync_v2(b->packed + range->first, user, range->length, context->stream);
  return cuda->cuMemcpyHtoDAsync_v2(user, b->packed + range->first, range->length, context->stream);
}
