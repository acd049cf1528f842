/* Where a pointer leads, and what each CUDA context has of ours: a stream, kernels, and memory of the host that it reaches. */
#ifndef STOWAGE_GPU_CONTEXT_H
#define STOWAGE_GPU_CONTEXT_H

#include "stowage_cuda.h"

#include <stddef.h>

struct device_staging;

enum { STAGING_CLASSES = 48 };

struct device_context {
  void *context;
  unsigned long long id;
  /* Blocking: in order with the legacy default stream, as those of MPIs that know GPUs are. */
  void *stream;
  stowage_gpu *gpu;
  /* Memory of the device that packed bytes pass through on their way to and from the host (launch.c); 0: none yet. */
  stowage_device_address scratch;
  struct device_staging *free[STAGING_CLASSES];
  struct device_context *next;
};

/* Where a pointer leads, asked of the driver at each call: an answer kept by address would outlive the allocation, and asking takes
 * a tenth of a microsecond. */
struct device_place {
  void *context;
  int ordinal;
};

/* Whether it is memory that the host cannot reach: of a device, and not managed. */
int device_holds(const void *pointer, struct device_place *place);

/* Makes the context of a place current, until device_leave. NULL, with the driver's result, where it cannot be had. One thread at a
 * time is inside; no message of the MPI is begun or waited for there. */
struct device_context *device_enter(const struct device_place *place, int *result);
/* The same of a context that was entered before, at the place where a pointer now leads. */
void device_leave(struct device_context *context);

#endif
