/* A committed type. */
#ifndef STOWAGE_TYPE_H
#define STOWAGE_TYPE_H

#include "layout.h"
#include "stowage_types.h"

#include <stdatomic.h>

struct stowage_code;

struct stowage_type {
  atomic_int users;
  stowage_context *context;              /* held; NULL: loops alone */
  struct stowage_code *code;             /* of the context's store; NULL: loops alone */
  _Atomic(struct stowage_code *) device; /* its kernels' entry, once they were asked for */
  struct piece piece;                    /* of one element */
  int64_t size;
  struct stowage_bounds bounds;
  struct arena arena;
  int64_t *words; /* the description, which lists of the layout lie in */
  size_t description_length;
};

/* Whether packed bytes [first, first + length) are of `count` elements, none of which lies beyond 64 bits. */
static inline int type_has_range(const stowage_type *type, int64_t count, int64_t first, int64_t length) {
  int64_t total, last;
  if ((count | first | length) < 0 || __builtin_mul_overflow(count, type->size, &total)) return 0;
  if (__builtin_mul_overflow(count, type->bounds.extent, &last)) return 0;
  return first <= total && length <= total - first;
}

/* What is only read is not written through this. */
static inline unsigned char *read_only(const void *source) { return (unsigned char *)(uintptr_t)source; }

#endif
