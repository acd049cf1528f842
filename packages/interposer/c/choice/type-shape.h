/* What of a datatype decides how fast the MPI itself moves its messages, and what two datatypes that begin elsewhere
 * have in common, as the two sides of a halo. */
#ifndef STOWAGE_TYPE_SHAPE_H
#define STOWAGE_TYPE_SHAPE_H

#include "types.h"

#include <stddef.h>

/* Of an element: its packed bytes, those of a contiguous run in the mean, those from its first to its last, and those
 * from one element to the next. */
struct type_shape {
  size_t size_bytes, run_bytes, span_bytes;
  ptrdiff_t extent_bytes;
};

/* Of a type that has code. */
struct type_shape type_shape_of(const struct type_code *code);

/* Whether elements lie closer than half a line and reach further than one, as the columns of a matrix: they are read
 * and written together, or each line again for each of them. */
int shape_is_of_columns(const struct type_shape *shape);

/* The packed bytes of as many of `count` elements as have parts in a cache line or two, as columns of a matrix have:
 * they are read together. 1: no elements have. */
size_t side_by_side_bytes(const struct type_code *code, size_t count);

#endif
