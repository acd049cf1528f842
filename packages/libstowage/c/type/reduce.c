/* Reductions while unpacking. */
#include "combine.h"
#include "range.h"
#include "type.h"

struct reduction {
  struct range_work work; /* first: what is called with it is a reduction's */
  combine_function combine;
};

static const struct reduction *reduction_of(const struct range_work *work) {
  return (const struct reduction *)(const void *)work;
}

/* Runs are combined where they lie, one after another: those that share bytes meet what the one before has left. */
static void combine_copies(const struct range_work *work, const struct node *node, int64_t count, int64_t stride,
                           unsigned char *scattered, unsigned char *packed) {
  const combine_function combine = reduction_of(work)->combine;
  if (node->kind == NODE_RUN) {
    combine(scattered, stride, count, packed, node->size);
    return;
  }
  for (uint64_t offset = 0; count > 0; count--, offset += (uint64_t)stride) {
    const struct node *child = node->child;
    unsigned char *copy = place_at(scattered, offset);
    if (node->kind == NODE_STREAM) {
      combine_copies(work, child, node->count, node->stride, copy, packed);
      packed += node->size;
      continue;
    }
    for (int64_t i = 0; i < node->count; i++) {
      unsigned char *at = place_at(copy, (uint64_t)node->offsets[i]);
      const int64_t own = node->starts != NULL ? node->starts[i + 1] - node->starts[i] : child->size;
      if (node->kind == NODE_RUNS) combine(at, 0, 1, packed, own);
      else if (node->kind == NODE_BLOCKS) combine_copies(work, child, own / child->size, node->stride, at, packed);
      else combine_copies(work, node->kind == NODE_LIST ? child : node->members[i], 1, 0, at, packed);
      packed += own;
    }
  }
}

static void combine_bytes(const struct range_work *work, unsigned char *scattered, unsigned char *packed,
                          int64_t length) {
  reduction_of(work)->combine(scattered, 0, 1, packed, length);
}

enum stowage_status stowage_reduce_range(const void *source, int64_t length, enum stowage_operation operation,
                                         enum stowage_element element, const stowage_type *type, int64_t first,
                                         void *target, int64_t count) {
  const int64_t bytes = element_bytes(element);
  const struct node *node = type->piece.node;
  if (bytes == 0 || !type_has_range(type, count, first, length))
    return bytes == 0 ? STOWAGE_DESCRIPTION : STOWAGE_RANGE;
  if (first % bytes != 0 || length % bytes != 0) return STOWAGE_RANGE;
  if (operation == STOWAGE_NO_OP) return STOWAGE_OK;
  if (operation == STOWAGE_REPLACE) return stowage_unpack_range(source, length, type, first, target, count);
  const struct reduction reduction = {{combine_copies, combine_bytes}, combine_of(operation, element)};
  if (reduction.combine == NULL || (node != NULL && node->unit % bytes != 0)) return STOWAGE_DESCRIPTION;
  if (length > 0)
    each_in_range(&reduction.work, node, type->bounds.extent, place_at(target, (uint64_t)type->piece.offset),
                  read_only(source), first, length);
  return STOWAGE_OK;
}

enum stowage_status stowage_reduce(const void *source, int64_t source_bytes, enum stowage_operation operation,
                                   enum stowage_element element, const stowage_type *type, void *target,
                                   int64_t count) {
  int64_t length;
  if (__builtin_mul_overflow(count, type->size, &length) || source_bytes < length) return STOWAGE_RANGE;
  return stowage_reduce_range(source, length, operation, element, type, 0, target, count);
}
