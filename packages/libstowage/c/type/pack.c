/* Pack, unpack and copy. */
#include "code-store.h"
#include "exact.h"
#include "range.h"
#include "type.h"

/* By the code that was found, else by loops. `count` elements; `packed` is where byte `first` lies, and of a kernel's
 * stream where byte 0 would. */
static inline void move(const stowage_type *type, unsigned char *scattered, int64_t count, unsigned char *packed,
                        int64_t first, int64_t length, enum way way) {
  if (length == 0) return;
  const stowage_kernel *kernel = type->code == NULL ? NULL : code_kernel(type->code);
  if (kernel != NULL) {
    unsigned char *stream = (unsigned char *)((uintptr_t)packed - (uintptr_t)first);
    if (way == TO_PACKED) stowage_run(kernel, STORE_PACK, scattered, stream, count, first, length);
    else stowage_run(kernel, STORE_UNPACK, stream, scattered, count, first, length);
    return;
  }
  const struct node *node = type->piece.node;
  const int64_t stride = type->bounds.extent;
  scattered = place_at(scattered, (uint64_t)type->piece.offset);
  if (first == 0 && length == count * node->size) node->repeat[way](node, count, stride, scattered, packed);
  else each_in_range(way == TO_PACKED ? &range_packs : &range_unpacks, node, stride, scattered, packed, first, length);
}

enum stowage_status stowage_pack(const void *source, int64_t count, const stowage_type *type, void *target,
                                 int64_t target_bytes) {
  int64_t length;
  if (__builtin_mul_overflow(count, type->size, &length) || !type_has_range(type, count, 0, length) ||
      target_bytes < length)
    return STOWAGE_RANGE;
  move(type, read_only(source), count, target, 0, length, TO_PACKED);
  return STOWAGE_OK;
}

enum stowage_status stowage_unpack(const void *source, int64_t source_bytes, const stowage_type *type, void *target,
                                   int64_t count) {
  int64_t length;
  if (__builtin_mul_overflow(count, type->size, &length) || !type_has_range(type, count, 0, length) ||
      source_bytes < length)
    return STOWAGE_RANGE;
  move(type, target, count, read_only(source), 0, length, FROM_PACKED);
  return STOWAGE_OK;
}

enum stowage_status stowage_pack_range(const void *source, int64_t count, const stowage_type *type, int64_t first,
                                       void *target, int64_t length) {
  if (!type_has_range(type, count, first, length)) return STOWAGE_RANGE;
  move(type, read_only(source), count, target, first, length, TO_PACKED);
  return STOWAGE_OK;
}

enum stowage_status stowage_unpack_range(const void *source, int64_t length, const stowage_type *type, int64_t first,
                                         void *target, int64_t count) {
  if (!type_has_range(type, count, first, length)) return STOWAGE_RANGE;
  move(type, target, count, read_only(source), first, length, FROM_PACKED);
  return STOWAGE_OK;
}

/* Where byte `first` of the packed stream lies, if all elements are one run; NULL: they are not. */
static unsigned char *run_at(const stowage_type *type, unsigned char *scattered, int64_t count, int64_t first) {
  const struct node *node = type->piece.node;
  if (node->kind != NODE_RUN || (count > 1 && type->bounds.extent != node->size)) return NULL;
  return place_at(scattered, (uint64_t)type->piece.offset + (uint64_t)first);
}

enum stowage_status stowage_copy_range(const void *source, int64_t source_count, const stowage_type *source_type,
                                       int64_t first, int64_t length, void *target, int64_t target_count,
                                       const stowage_type *target_type) {
  if (!type_has_range(source_type, source_count, first, length) ||
      !type_has_range(target_type, target_count, first, length))
    return STOWAGE_RANGE;
  if (length == 0) return STOWAGE_OK;
  unsigned char *from = run_at(source_type, read_only(source), source_count, first);
  unsigned char *to = run_at(target_type, target, target_count, first);
  if (from != NULL) move(target_type, target, target_count, from, first, length, FROM_PACKED);
  else if (to != NULL) move(source_type, read_only(source), source_count, to, first, length, TO_PACKED);
  if (from != NULL || to != NULL) return STOWAGE_OK;
  /* Through a piece of the packed stream that stays in the first level of cache. */
  unsigned char piece[8192];
  for (int64_t own; length > 0; first += own, length -= own) {
    own = lesser(length, (int64_t)sizeof piece);
    move(source_type, read_only(source), source_count, piece, first, own, TO_PACKED);
    move(target_type, target, target_count, piece, first, own, FROM_PACKED);
  }
  return STOWAGE_OK;
}

enum stowage_status stowage_copy(const void *source, int64_t source_count, const stowage_type *source_type,
                                 void *target, int64_t target_count, const stowage_type *target_type) {
  int64_t length, other;
  if (__builtin_mul_overflow(source_count, source_type->size, &length) ||
      __builtin_mul_overflow(target_count, target_type->size, &other) || length != other)
    return STOWAGE_RANGE;
  return stowage_copy_range(source, source_count, source_type, 0, length, target, target_count, target_type);
}
