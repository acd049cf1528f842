/* Where the contiguous runs of an element lie, in packed order: for whoever reads elements without the type's code. */
#ifndef STOWAGE_ELEMENT_RUNS_H
#define STOWAGE_ELEMENT_RUNS_H

#include "stowage.h"

#include <stddef.h>
#include <stdint.h>

/* `count` runs of `length` bytes, `stride` apart, of which the first lies `offset` bytes behind the type's address 0.
 */
struct run_group {
  int64_t offset, stride;
  uint64_t length, count;
};

struct element_runs {
  size_t count;
  struct run_group groups[];
};

/* Types with more of them have no such list. */
enum { MOST_RUN_GROUPS = 512 };

/* Those of a type, by its code, as long as that; they are found out once. NULL: there are too many, or the type
 * has a constructor whose runs are not listed (MPI_Type_create_darray), or gaps in its basic elements. Any thread. */
const struct element_runs *element_runs_of(const stowage_kernel *kernel);

#endif
