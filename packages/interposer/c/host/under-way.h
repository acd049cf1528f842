/* Sends whose calls are under way. Where the MPI may be called by several threads at once, those of all: a thread that
 * waits for another process inside the MPI may have a lock there that the sender of what that process waits for needs
 * to go on. So whoever waits packs what any has offered, piece by piece beside its own thread. */
#ifndef STOWAGE_UNDER_WAY_H
#define STOWAGE_UNDER_WAY_H

#include "host-send.h"

/* The one that this thread's call is beginning, for whoever packs inside the MPI; NULL: none. */
HIDDEN extern _Thread_local struct host_send *host_sending __attribute__((tls_model("initial-exec")));

/* Whether the MPI may be called by several threads at once. Set before anything is sent. */
HIDDEN extern int under_way_is_shared;

/* A call of this thread begins one, and is over: then nobody else has it any more. */
void under_way_enter(struct host_send *send);
void under_way_leave(struct host_send *send);

/* For each that others may wait for. */
void under_way_each(void (*use)(struct host_send *send));
/* For that of a number. 0: its call is over. */
int under_way_of(uint64_t number, void (*use)(struct host_send *send));

/* Around what one thread alone does to it. */
static inline void under_way_lock(struct host_send *send) {
  if (UNLIKELY(under_way_is_shared)) pthread_mutex_lock(&send->packing);
}
static inline void under_way_unlock(struct host_send *send) {
  if (UNLIKELY(under_way_is_shared)) pthread_mutex_unlock(&send->packing);
}

#endif
