/* Memory of the host that a device reaches, for packed bytes of one message. The MPI reads and writes it: it is
 * ordinary memory that the driver was told of, and stays mapped whatever becomes of the context. */
#ifndef STOWAGE_GPU_STAGING_H
#define STOWAGE_GPU_STAGING_H

#include "context.h"

struct gpu_staging {
  unsigned char *memory;
  size_t bytes;
  /* What the device calls it; 0: it is pageable, for the driver would not have it. */
  gpu_address address;
  struct gpu_context *of;
  unsigned long long id;
  struct gpu_staging *next;
};

/* With the context entered. NULL, with the driver's result, where there is none. */
struct gpu_staging *staging_take(struct gpu_context *context, size_t bytes, int *result);
/* In the context of a place. MPI_SUCCESS or a class, which has been told in one line. */
int staging_take_at(const struct gpu_place *place, size_t bytes, struct gpu_staging **staging);
/* Any time, from any thread that has entered a context or none: kept for the next message. */
void staging_give(struct gpu_staging *staging);

#endif
