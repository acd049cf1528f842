/* Whether this process may have GPU buffers: it has loaded the CUDA driver itself. We never load it. */
#ifndef STOWAGE_GPU_WATCH_H
#define STOWAGE_GPU_WATCH_H

#include "exported.h"

#include <stddef.h>

/* Where the loader writes the next library behind the last one that was looked at. */
HIDDEN extern void *const *gpu_watch;

/* Told of each place that it is moved to, where somebody else looks at the word. */
HIDDEN extern void (*gpu_watch_moved)(void *const *word);

/* Whether the driver is among the libraries that were loaded since. */
int gpu_was_loaded(void);

/* For each call with a buffer: in programs without GPUs a load, and a branch that is always predicted. */
static inline int gpu_maybe(void) {
  return UNLIKELY(__atomic_load_n(__atomic_load_n(&gpu_watch, __ATOMIC_RELAXED), __ATOMIC_RELAXED) != NULL) &&
         gpu_was_loaded();
}

/* Begins, when MPI_Init is over: libraries that come later are noticed by themselves. Ends, when MPI_Finalize begins.
 */
void gpu_watch_start(void);
void gpu_watch_stop(void);

#endif
