/* Samples of a time: the clock that they are taken by, and their order. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdlib.h>
#include <time.h>

static inline double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline int by_value(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* The least comes first, the median into the middle, the greatest last. */
static inline void sort_samples(double *samples, int count) {
  qsort(samples, (size_t)count, sizeof *samples, by_value);
}

#endif
