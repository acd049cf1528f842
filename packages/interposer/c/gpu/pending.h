/* Nonblocking sends from GPU memory to GPU memory whose placeholders have gone and whose packing has not begun: those
 * that follow one another are packed by one launch. It begins when the program completes a request, receives or sends
 * with waiting, or none has followed for DELAY_NS: a receiver never depends on a call that the sender may not make. */
#ifndef STOWAGE_GPU_PENDING_H
#define STOWAGE_GPU_PENDING_H

#include "exported.h"
#include "route.h"

enum { DELAY_NS = 50000, MOST_DELAY_NS = 500000, MOST_PENDING = 64 };

HIDDEN extern size_t pending_count;

/* Whether there is somebody to look at the time. */
int pending_is_possible(void);
/* The message stays where it is until it is begun: `begin`, the same for all, is called with those that waited. */
void pending_add(struct message *message, void (*begin)(struct message *const messages[], size_t count));
void pending_begin(void);

static inline void pending_flush(void) {
  if (UNLIKELY(__atomic_load_n(&pending_count, __ATOMIC_ACQUIRE) != 0)) pending_begin();
}

#endif
