/* Arithmetic of 64 bits whose overflow is told once, behind a formula. */
#ifndef STOWAGE_EXACT_H
#define STOWAGE_EXACT_H

#include <stdint.h>

static inline int64_t sum_of(int *is_over, int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result)) *is_over = 1;
  return result;
}

static inline int64_t difference_of(int *is_over, int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_sub_overflow(a, b, &result)) *is_over = 1;
  return result;
}

static inline int64_t product_of(int *is_over, int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) *is_over = 1;
  return result;
}

static inline int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }

#endif
