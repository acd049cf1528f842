/* What each context of a device has of ours: a stream, kernels, and memory of the host that it reaches. */
#ifndef STOWAGE_GPU_CONTEXT_H
#define STOWAGE_GPU_CONTEXT_H

#include "driver.h"

struct gpu_staging;

enum { STAGING_CLASSES = 48 };

struct gpu_context {
  void *context;
  /* Staging memory is given back, and compares its own with it, without entering. */
  _Atomic(unsigned long long) id;
  void *stream;
  stowage_gpu *gpu;
  /* Memory of the device that packed bytes pass through on their way to and from the host (launch.c); 0: none yet. */
  gpu_address scratch;
  struct gpu_staging *free[STAGING_CLASSES];
  struct gpu_context *next;
};

/* Makes the context of a place current, until context_leave. NULL, with the driver's result, where it cannot be had.
 * One thread at a time is inside; no message of the MPI is begun or waited for there. */
struct gpu_context *context_enter(const struct gpu_place *place, int *result);
void context_leave(void);
/* Waits for all that was begun in the context of a place. */
int context_synchronise(const struct gpu_place *place);
/* Copies bytes at an address to memory of the host, if the place's context is still this one, of this id. 0 or the
 * driver's result. */
int context_read(const struct gpu_place *place, const struct gpu_context *of, unsigned long long id,
                 gpu_address address, void *to, size_t bytes);

#endif
