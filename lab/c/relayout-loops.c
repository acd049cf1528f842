/* The double loops that a programmer writes for a copy from one layout to another; strides count elements. */
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t lanes[2];
} complex16;

struct shape {
  int64_t outer, inner;
  int64_t source_outer, source_inner, target_outer, target_inner;
  const int64_t *source_index, *target_index;
};

#define LOOPS(NAME, TYPE)                                                                             \
  void stride_##NAME(const TYPE *restrict source, TYPE *restrict target, const struct shape *shape) { \
    const int64_t outer = shape->outer, inner = shape->inner;                                         \
    const int64_t so = shape->source_outer, si = shape->source_inner;                                 \
    const int64_t to = shape->target_outer, ti = shape->target_inner;                                 \
    if (ti == 1) {                                                                                    \
      for (int64_t i = 0; i < outer; i++)                                                             \
        for (int64_t j = 0; j < inner; j++) target[i * to + j] = source[i * so + j * si];             \
    } else {                                                                                          \
      for (int64_t i = 0; i < outer; i++)                                                             \
        for (int64_t j = 0; j < inner; j++) target[i * to + j * ti] = source[i * so + j * si];        \
    }                                                                                                 \
  }                                                                                                   \
  void index_##NAME(const TYPE *restrict source, TYPE *restrict target, const struct shape *shape) {  \
    const int64_t *restrict from = shape->source_index, *restrict to = shape->target_index;           \
    for (int64_t i = 0; i < shape->outer; i++)                                                        \
      for (int64_t j = 0; j < shape->inner; j++) target[to[i] + j] = source[from[i] + j];             \
  }

LOOPS(1, uint8_t)
LOOPS(4, uint32_t)
LOOPS(8, uint64_t)
LOOPS(16, complex16)
