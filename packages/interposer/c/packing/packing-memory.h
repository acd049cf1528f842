/* Memory for the packed bytes of calls, until the MPI is done with them, which is used again: new pages cost more than
 * packing. What a process holds at once is bounded: a program that begins many operations, or one that fills half of
 * its memory, goes on natively. */
#ifndef STOWAGE_PACKING_MEMORY_H
#define STOWAGE_PACKING_MEMORY_H

#include "exported.h"

#include <stddef.h>

/* At most so many bytes are taken at once. */
struct packing_budget {
  size_t most, taken;
};
/* That of files and windows; and that of messages, of which many large receives may wait at once. */
HIDDEN extern struct packing_budget packing_of_accesses, packing_of_messages;

/* NULL: there is none, or too much is taken already. Begins at a line. */
void *packing_memory_take(struct packing_budget *, size_t bytes);
/* As many bytes. NULL is nothing. */
void packing_memory_give(struct packing_budget *, void *memory, size_t bytes);

#endif
