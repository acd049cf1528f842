#include "launch.h"

#include "store.h"

/* The context's, taken by whoever is inside: the next one's work on the stream comes behind it. */
enum { SCRATCH_BYTES = 16 << 20 };
/* Parts lie in it as in the stream modulo this, so that kernels find the words of both sides aligned alike. */
enum { PHASE_BYTES = 256 };
enum { MOST_PARTS = 64 };

/* What one launch takes, and the copies between scratch memory and the host. */
struct parts {
  struct gpu_context *context;
  enum stowage_direction direction;
  struct stowage_transfer transfers[MOST_PARTS];
  struct {
    unsigned char *host;
    gpu_address scratch;
    size_t bytes;
  } copies[MOST_PARTS];
  size_t count, copied, used;
};

static int copy_all(const struct parts *parts) {
  int result = 0;
  for (size_t i = 0; i < parts->copied && result == 0; i++)
    result = driver_copy(parts->direction, parts->copies[i].scratch, parts->copies[i].host, parts->copies[i].bytes,
                         parts->context->stream);
  return result;
}

static int flush(struct parts *parts) {
  int result = parts->direction == STOWAGE_UNPACK ? copy_all(parts) : 0;
  if (result == 0 && parts->count > 0)
    result = stowage_gpu_run(parts->context->gpu, parts->transfers, parts->count, parts->context->stream);
  if (result == 0 && parts->direction == STOWAGE_PACK) result = copy_all(parts);
  parts->count = parts->copied = parts->used = 0;
  return result;
}

/* `packed`: where byte 0 of the stream lies, or would. */
static void put(struct parts *parts, const struct gpu_move *move, const stowage_kernel *kernel, gpu_address packed) {
  const gpu_address user = (gpu_address)(uintptr_t)move->buffer->user;
  const int packs = parts->direction == STOWAGE_PACK;
  parts->transfers[parts->count++] = (struct stowage_transfer){kernel,
                                                               packs ? STORE_PACK : STORE_UNPACK,
                                                               packs ? user : packed,
                                                               packs ? packed : user,
                                                               (int64_t)move->first,
                                                               (int64_t)move->length};
}

static gpu_address scratch_of(struct gpu_context *context) {
  if (context->scratch == 0 && driver_allocate(&context->scratch, SCRATCH_BYTES) != 0) context->scratch = 0;
  return context->scratch;
}

static void put_in_scratch(struct parts *parts, const struct gpu_move *move, const stowage_kernel *kernel) {
  const size_t at = (parts->used + PHASE_BYTES - 1) / PHASE_BYTES * PHASE_BYTES + move->first % PHASE_BYTES;
  const gpu_address scratch = parts->context->scratch + at;
  put(parts, move, kernel, scratch - move->first);
  parts->copies[parts->copied].host = move->packed.near + move->first;
  parts->copies[parts->copied].scratch = scratch;
  parts->copies[parts->copied++].bytes = move->length;
  parts->used = at + move->length;
}

static size_t room_in(const struct parts *parts) {
  const size_t taken = parts->used + 2 * PHASE_BYTES;
  return parts->count == MOST_PARTS || taken >= SCRATCH_BYTES ? 0 : SCRATCH_BYTES - taken;
}

/* Kernels reach pinned memory alone; a device without scratch memory has them reach that. */
static int goes_by_scratch(struct gpu_context *context, const struct gpu_packed *packed, int is_asked_for,
                           int *result) {
  const int is_pageable = packed->far == 0 && packed->near_address == 0;
  if (packed->far != 0 || (!is_asked_for && !is_pageable)) return 0;
  if (scratch_of(context) != 0) return 1;
  if (is_pageable) *result = DRIVER_OUT_OF_MEMORY;
  return 0;
}

static int add(struct parts *parts, const struct gpu_move *move, const stowage_kernel *kernel) {
  const struct gpu_packed *packed = &move->packed;
  int result = 0;
  const int by_scratch = goes_by_scratch(parts->context, packed, move->is_by_scratch, &result);
  struct gpu_move part = *move;
  for (size_t done = 0; done < move->length && result == 0; done += part.length) {
    if (room_in(parts) == 0) result = flush(parts);
    part.first = move->first + done;
    part.length = move->length - done;
    if (move->most > 0 && part.length > move->most) part.length = move->most;
    if (by_scratch && part.length > room_in(parts)) part.length = room_in(parts);
    if (by_scratch) put_in_scratch(parts, &part, kernel);
    else put(parts, &part, kernel, packed->far != 0 ? packed->far : packed->near_address);
  }
  return result;
}

int launch_all(struct gpu_context *context, enum stowage_direction direction, const struct gpu_move moves[],
               const stowage_kernel *const kernels[], size_t count) {
  struct parts parts;
  parts.context = context;
  parts.direction = direction;
  parts.count = parts.copied = parts.used = 0;
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++)
    if (kernels[i] != NULL) result = add(&parts, &moves[i], kernels[i]);
  const int last = flush(&parts);
  return result == 0 ? last : result;
}
