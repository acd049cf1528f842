/* Blocks of other processes' memory (heap.h) that this one has mapped, and processes all of whose memory it may read
 * (host-reads.h). Which they are stands in its inbox, so that others know. */
#ifndef STOWAGE_HEAP_SEEN_H
#define STOWAGE_HEAP_SEEN_H

#include "inbox.h"

/* What a process tells of a block, by an id: the number of its file, or where the word lies that stands for all of its
 * memory. */
struct heap_told {
  pid_t process;
  uint64_t id, word;
  int file;
};

/* A block is told of: it is mapped, or its process asked, where that can be, and a place for it is free. Any thread. */
void heap_see(const struct heap_told *told);

/* What this process can read of a block: where it is mapped; NULL: its process's memory, by addresses there. */
struct heap_view {
  const unsigned char *memory;
  size_t bytes;
  pid_t process;
};
/* 0: nothing. */
int heap_seen(uint64_t id, struct heap_view *view);

/* Whether the owner of an inbox can read a block. */
static inline int heap_is_seen(struct inbox *inbox, uint64_t id) {
  int is_there = 0;
  for (int i = 0; i < INBOX_SEEN_PLACES && !is_there; i++)
    is_there = atomic_load_explicit(&inbox->seen[inbox_seen_place(id, i)], memory_order_relaxed) == id;
  return is_there;
}

#endif
