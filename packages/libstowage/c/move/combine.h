/* What operations make of elements. */
#ifndef STOWAGE_COMBINE_H
#define STOWAGE_COMBINE_H

#include "stowage_types.h"

/* Combines `count` runs of `length` bytes, `stride` apart in the target and one behind the other in the source. */
typedef void (*combine_function)(unsigned char *target, int64_t stride, int64_t count, const unsigned char *source,
                                 int64_t length);

/* Bytes of an element; 0: there is none of this number. */
int64_t element_bytes(enum stowage_element element);

/* NULL: the operation is not defined for the element. */
combine_function combine_of(enum stowage_operation operation, enum stowage_element element);

#endif
