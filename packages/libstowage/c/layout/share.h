/* What one process of a darray holds along one dimension. MPI 4.1, section 5.1.4. */
#ifndef STOWAGE_SHARE_H
#define STOWAGE_SHARE_H

#include "stowage.h"

/* `full` blocks of `block` elements from element `first`, `stride` elements apart, then a shorter one of `rest`, one
 * stride on. */
struct share {
  int64_t first, block, stride, full, rest;
};

/* A darray's integers, behind size, rank and dimensions: a list a row, then the order. */
struct darray {
  int64_t size, rank, dimensions;
  const int64_t *sizes, *distributions, *arguments, *processes;
  int64_t order;
};

/* 0: grid, distribution and array do not fit. */
int darray_is_sound(const struct darray *array);

/* The share of each dimension, in `shares`. */
void shares_of(const struct darray *array, struct share *shares);

/* Subarrays alike. */
struct subarray {
  int64_t dimensions;
  const int64_t *sizes, *subsizes, *starts;
  int64_t order;
};
int subarray_is_sound(const struct subarray *box);

/* The dimension that is the i-th fastest. */
static inline int64_t dimension_from_fastest(int64_t i, int64_t dimensions, int64_t order) {
  return order == STOWAGE_ORDER_FORTRAN ? i : dimensions - 1 - i;
}

#endif
