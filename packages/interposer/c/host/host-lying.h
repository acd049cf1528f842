/* Elements that stay where they lie, for the receiver to read: in memory of the sender's that both have mapped
 * (heap.h), or in any, where that is asked for (host-reads.h). The message's room then has a list of their contiguous
 * runs. What is said here is one process's word to another: the receiver reads no byte outside of that memory. */
#ifndef STOWAGE_HOST_LYING_H
#define STOWAGE_HOST_LYING_H

#include "elements.h"
#include "element-runs.h"
#include "heap.h"
#include "host-offer.h"

/* The runs of elements that had better be read where they lie, and the block they are in. NULL: they had not, or are in
 * no block. Their code and bytes are set. */
const struct element_runs *host_lying_runs(const struct elements *elements, struct heap_block *block);

/* Says so in a room, whose bytes are as many as the elements'. */
void host_lying_offer(struct inbox_message *message, const struct elements *elements, const struct element_runs *runs,
                      const struct heap_block *block);
/* Copies them by that list, as the receiver reads them. */
void host_lying_copy(const struct inbox_message *message, const struct heap_block *block, size_t bytes, void *packed);

/* Whether a message's elements lie so, and this process reads them from now on: the first `size` bytes, in order and
 * run by run, or, out of memory that is not mapped, without the taker's reader. 0: they do not, or are packed after
 * all. `done` gets how many bytes were read, or would have been: less than the message has where what was said leads
 * outside, or the sender has ended. */
int host_lying_take(struct inbox_message *message, size_t bytes, size_t size, const struct host_taker *taker,
                    size_t *done);

#endif
