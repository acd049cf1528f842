/* Calls that count in int, and their forms for large counts, whose names end in _c (MPI 4.0, section 2.5.8). */
#ifndef STOWAGE_COUNTED_H
#define STOWAGE_COUNTED_H

#include <mpi.h>
#include <stdint.h>
#include <string.h>

/* Makes both of one definition, as far as the MPI has them: `define` gets what the name ends in, and the types of its
 * counts and of its displacements. */
#if MPI_VERSION >= 4
#define EACH_COUNT(define, ...) define(, int, int, __VA_ARGS__) define(_c, MPI_Count, MPI_Aint, __VA_ARGS__)
#else
#define EACH_COUNT(define, ...) define(, int, int, __VA_ARGS__)
#endif

/* An array of one of these types, as a call has it. NULL: there is none. */
struct numbers {
  const void *all;
  size_t width;
};

#define NUMBERS(array) ((struct numbers){(array), sizeof *(array)})

static inline int64_t number_at(struct numbers numbers, size_t i) {
  int64_t large;
  int small;
  if (numbers.width == sizeof large) {
    memcpy(&large, (const char *)numbers.all + i * sizeof large, sizeof large);
    return large;
  }
  memcpy(&small, (const char *)numbers.all + i * sizeof small, sizeof small);
  return small;
}

/* 0: it does not fit. */
static inline int number_put(struct numbers numbers, size_t i, int64_t value) {
  const int small = (int)value;
  if (numbers.width == sizeof small && small != value) return 0;
  char *at = (char *)(uintptr_t)numbers.all + i * numbers.width;
  if (numbers.width == sizeof small) memcpy(at, &small, sizeof small);
  else memcpy(at, &value, sizeof value);
  return 1;
}

#endif
