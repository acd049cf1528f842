/* Pack, unpack and copy. */
#include "exact.h"
#include "range.h"
#include "type.h"

#include <string.h>

/* Whether packed bytes [first, first + length) are of `count` elements, none of which lies beyond 64 bits. */
static int is_range(const stowage_type *type, int64_t count, int64_t first, int64_t length) {
  int64_t total, last;
  if ((count | first | length) < 0 || __builtin_mul_overflow(count, type->size, &total)) return 0;
  if (__builtin_mul_overflow(count, type->bounds.extent, &last)) return 0;
  return first <= total && length <= total - first;
}

static inline void move(const stowage_type *type, unsigned char *scattered, unsigned char *packed, int64_t first,
                        int64_t length, enum way way) {
  if (length > 0)
    move_range(type->piece.node, type->bounds.extent, scattered + type->piece.offset, packed, first, length, way);
}

/* What is only read is not written through these. */
static unsigned char *read_only(const void *source) { return (unsigned char *)(uintptr_t)source; }

enum stowage_status stowage_pack(const void *source, int64_t count, const stowage_type *type, void *target,
                                 int64_t target_bytes) {
  int64_t length;
  if (__builtin_mul_overflow(count, type->size, &length) || !is_range(type, count, 0, length) || target_bytes < length)
    return STOWAGE_RANGE;
  move(type, read_only(source), target, 0, length, TO_PACKED);
  return STOWAGE_OK;
}

enum stowage_status stowage_unpack(const void *source, int64_t source_bytes, const stowage_type *type, void *target,
                                   int64_t count) {
  int64_t length;
  if (__builtin_mul_overflow(count, type->size, &length) || !is_range(type, count, 0, length) || source_bytes < length)
    return STOWAGE_RANGE;
  move(type, target, read_only(source), 0, length, FROM_PACKED);
  return STOWAGE_OK;
}

enum stowage_status stowage_pack_range(const void *source, int64_t count, const stowage_type *type, int64_t first,
                                       void *target, int64_t length) {
  if (!is_range(type, count, first, length)) return STOWAGE_RANGE;
  move(type, read_only(source), target, first, length, TO_PACKED);
  return STOWAGE_OK;
}

enum stowage_status stowage_unpack_range(const void *source, int64_t length, const stowage_type *type, int64_t first,
                                         void *target, int64_t count) {
  if (!is_range(type, count, first, length)) return STOWAGE_RANGE;
  move(type, target, read_only(source), first, length, FROM_PACKED);
  return STOWAGE_OK;
}

/* Where byte `first` of the packed stream lies, if all elements are one run; NULL: they are not. */
static unsigned char *run_at(const stowage_type *type, unsigned char *scattered, int64_t count, int64_t first) {
  const struct node *node = type->piece.node;
  if (node->kind != NODE_RUN || (count > 1 && type->bounds.extent != node->size)) return NULL;
  return scattered + type->piece.offset + first;
}

enum stowage_status stowage_copy_range(const void *source, int64_t source_count, const stowage_type *source_type,
                                       int64_t first, int64_t length, void *target, int64_t target_count,
                                       const stowage_type *target_type) {
  if (!is_range(source_type, source_count, first, length) || !is_range(target_type, target_count, first, length))
    return STOWAGE_RANGE;
  if (length == 0) return STOWAGE_OK;
  unsigned char *from = run_at(source_type, read_only(source), source_count, first);
  unsigned char *to = run_at(target_type, target, target_count, first);
  if (from != NULL) move(target_type, target, from, first, length, FROM_PACKED);
  else if (to != NULL) move(source_type, read_only(source), to, first, length, TO_PACKED);
  if (from != NULL || to != NULL) return STOWAGE_OK;
  /* Through a piece of the packed stream that stays in the first level of cache. */
  unsigned char piece[8192];
  for (int64_t own; length > 0; first += own, length -= own) {
    own = lesser(length, (int64_t)sizeof piece);
    move(source_type, read_only(source), piece, first, own, TO_PACKED);
    move(target_type, target, piece, first, own, FROM_PACKED);
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
