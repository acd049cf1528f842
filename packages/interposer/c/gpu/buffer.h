/* A buffer of a call: elements of a datatype in memory of a device, or of the host. */
#ifndef STOWAGE_GPU_BUFFER_H
#define STOWAGE_GPU_BUFFER_H

#include "driver.h"
#include "type.h"
#include "watch.h"

struct gpu_buffer {
  /* Where the type's address 0 lies. */
  unsigned char *user;
  size_t count, bytes;
  MPI_Datatype type;
  struct gpu_type facts;
  struct gpu_place place;
};

/* Elements in memory of the host, of so many packed bytes. */
static inline struct gpu_buffer buffer_on_host(const void *user, MPI_Count count, size_t bytes, MPI_Datatype type) {
  return (struct gpu_buffer){.user = (unsigned char *)(uintptr_t)user,
                             .count = (size_t)count,
                             .bytes = bytes,
                             .type = type,
                             .place = {NULL, -1}};
}

/* Whether the elements at an address lie on a device. Empty messages do not. */
int buffer_lies(const void *user, MPI_Count count, MPI_Datatype type, struct gpu_buffer *buffer);
/* Whether the elements lie on a device and are ours to move: an MPI that knows GPUs takes elements side by side
 * itself. */
int buffer_takes(const void *user, MPI_Count count, MPI_Datatype type, struct gpu_buffer *buffer);

/* Whether a call's elements lie on a device, in a program that may have any. */
static inline int lies_on_device(const void *user, MPI_Count count, MPI_Datatype type) {
  struct gpu_buffer buffer;
  return gpu_maybe() && buffer_lies(user, count, type, &buffer);
}

/* Whether it still lies on its device: it may be freed while a message is under way, and its context destroyed. */
int buffer_is_there(const struct gpu_buffer *buffer);
static inline int buffer_is_of_device(const struct gpu_buffer *buffer) { return buffer->place.ordinal >= 0; }

/* Whether its elements lie as they are packed: the driver's copies are as fast as any kernel. */
int buffer_is_dense(const struct gpu_buffer *buffer);
/* What packs it; NULL: nothing yet, or it is dense, or the program compares natively. */
const stowage_kernel *buffer_kernel(const struct gpu_buffer *buffer);
/* Whether the buffer is packed by a launch or a copy of the driver, not run by run. */
int buffer_is_launched(const struct gpu_buffer *buffer);
/* How long its contiguous blocks are. */
size_t buffer_block_bytes(const struct gpu_buffer *buffer);

#endif
