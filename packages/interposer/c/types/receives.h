/* Receives that pass no packing of ours, because the MPI unpacks them by itself: they are counted where the program
 * calls. */
#ifndef STOWAGE_RECEIVES_H
#define STOWAGE_RECEIVES_H

#include "exported.h"

#include <mpi.h>
#include <stddef.h>

/* NULL where receives are ours, or not all of them pass unseen. Set in MPI_Init, before the gate of these calls is. */
HIDDEN extern void (*receives_watcher)(MPI_Datatype type, size_t count);

static inline void receive_seen(MPI_Datatype type, size_t count) {
  if (UNLIKELY(receives_watcher != NULL)) receives_watcher(type, count);
}

#endif
