/* Memory for the packed bytes of calls, until the MPI is done with them. All that a process holds at once is bounded:
 * a program that begins many operations, or one that fills half of its memory, goes on natively. */
#ifndef STOWAGE_HELD_H
#define STOWAGE_HELD_H

#include <stddef.h>

/* NULL: there is none, or too much is held already. */
void *held_take(size_t bytes);
void held_give(void *memory, size_t bytes);

#endif
