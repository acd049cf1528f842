/* Memory for the packed bytes of one message. What was given back is kept for the next. */
#ifndef STOWAGE_STAGED_MEMORY_H
#define STOWAGE_STAGED_MEMORY_H

#include <stddef.h>

/* Bytes that begin at a line of the cache. NULL: there are none, or too many are in use. Any thread. */
unsigned char *staged_memory_take(size_t bytes);
/* With as many bytes as were asked for. NULL is nothing. */
void staged_memory_give(unsigned char *memory, size_t bytes);

#endif
