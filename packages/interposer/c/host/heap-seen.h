/* Blocks of other processes' memory (heap.h) that this one has mapped, to be read. Which they are stands in its inbox,
 * so that others know. */
#ifndef STOWAGE_HEAP_SEEN_H
#define STOWAGE_HEAP_SEEN_H

#include "inbox.h"

/* A process tells of a block, by its id and the number of its file: it is mapped, where that can be, and a place for it
 * is free. Any thread. */
void heap_see(pid_t process, uint64_t id, int file);
/* The memory of one that is mapped, and its length. NULL: it is not. */
const unsigned char *heap_seen(uint64_t id, size_t *bytes);

/* Whether the owner of an inbox has a block mapped. */
static inline int heap_is_seen(struct inbox *inbox, uint64_t id) {
  int is_there = 0;
  for (int i = 0; i < INBOX_SEEN_PLACES && !is_there; i++)
    is_there = atomic_load_explicit(&inbox->seen[inbox_seen_place(id, i)], memory_order_relaxed) == id;
  return is_there;
}

#endif
