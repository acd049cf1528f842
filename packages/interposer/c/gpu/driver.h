/* What is asked of a GPU's driver: the one file that knows whose it is (driver.c: CUDA's). Each gives 0 or the driver's
 * result. */
#ifndef STOWAGE_GPU_DRIVER_H
#define STOWAGE_GPU_DRIVER_H

#include "stowage_cuda.h"

#include <stddef.h>

typedef stowage_device_address gpu_address;

enum { DRIVER_FAILED = STOWAGE_CUDA_ERROR_FIRST, DRIVER_OUT_OF_MEMORY = STOWAGE_CUDA_OUT_OF_MEMORY };

/* Whether this process has loaded it: we never do. */
int driver_is_loaded(void);
/* As the driver calls it; `success` is what it calls 0. */
const char *driver_name_of(int result);
const char *driver_success(void);

/* Where a pointer leads, asked at each call: an answer kept by address would outlive the allocation, and asking takes a
 * tenth of a microsecond. Memory of a pool belongs to a device, and has no context. */
struct gpu_place {
  void *context;
  int ordinal; /* -1: not to a device */
};

static inline int driver_is_same_place(const struct gpu_place *one, const struct gpu_place *other) {
  return one->context == other->context && one->ordinal == other->ordinal;
}

/* Whether it is memory that the host cannot reach: of a device, and not managed. */
int driver_holds(const void *pointer, struct gpu_place *place);

/* The context of a device that all share. */
int driver_primary(int ordinal, void **context);
/* Another context than before may have the same handle; 0: the driver does not tell them apart. */
unsigned long long driver_id_of(void *context);
/* Makes a context current; `is_pushed`: driver_pop undoes it. */
int driver_push(void *context, int *is_pushed);
void driver_pop(void);

/* Blocking: in order with the legacy default stream, as those of MPIs that know GPUs are. */
int driver_make_stream(void **stream);
int driver_synchronise(void *stream);

int driver_allocate(gpu_address *address, size_t bytes);
void driver_free(gpu_address address);
/* Tells it of memory of the host, which it then reaches at an address of its own. */
int driver_pin(void *memory, size_t bytes, gpu_address *address);

/* Copies in the order of a stream, from the device where `direction` is STOWAGE_PACK, else to it. */
int driver_copy(enum stowage_direction direction, gpu_address device, void *host, size_t bytes, void *stream);
int driver_copy_rows(enum stowage_direction direction, gpu_address device, void *host, size_t bytes, size_t rows,
                     size_t stride, void *stream);
int driver_copy_between(gpu_address to, gpu_address from, size_t bytes, void *stream);

/* What the device writes behind all that was begun before: to pinned memory. */
struct gpu_flag {
  gpu_address address;
  uint32_t value;
};
enum { DRIVER_MOST_FLAGS = 64 };
int driver_has_flags(void);
int driver_write_flags(const struct gpu_flag flags[], size_t count, void *stream);

/* Memory of other processes. */
struct gpu_handle {
  unsigned char bytes[64];
};
int driver_shares(void);
int driver_share(gpu_address address, struct gpu_handle *handle);
int driver_open(const struct gpu_handle *handle, gpu_address *address);

#endif
