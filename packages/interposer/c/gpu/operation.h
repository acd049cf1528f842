/* Messages under way whose buffers lie on devices: each is one request of the MPI, whose handle the program has.
 *
 * The operation owns its staging memory from the call that began it to the call that completes it: a receive's packed bytes are
 * unpacked there. A persistent request's lives until it is freed. What the program frees while it is under way is kept, asked for
 * now and then, and finished when the MPI is done with it. */
#ifndef STOWAGE_GPU_OPERATION_H
#define STOWAGE_GPU_OPERATION_H

#include "buffer.h"
#include "exported.h"

struct device_operation {
  enum stowage_direction direction; /* STOWAGE_PACK: a send */
  int is_persistent, is_active;
  /* A receive that is over and was only asked about (MPI_Request_get_status). */
  int is_unpacked;
  struct device_buffer buffer;
  MPI_Request request;
  struct device_operation *next;
};

/* How many there are. */
HIDDEN extern size_t device_operations;

/* An operation of a buffer, which it owns from now on. NULL: no memory; the buffer is released. */
struct device_operation *operation_made(const struct device_buffer *buffer, enum stowage_direction direction, int is_persistent);
void operation_free(struct device_operation *operation);

/* Under its request's handle; taken out while the MPI may complete it and give the handle to another. */
void operation_put(struct device_operation *operation, MPI_Request request);
struct device_operation *operation_find(MPI_Request request);
struct device_operation *operation_take(MPI_Request request);

/* A send whose packing goes on, under the one handle that an MPI gives for all sends that are over before they have a request. */
void operation_share(struct device_operation *operation, MPI_Request request);
/* Behind it, where the program asks for that handle, what was sent under it is packed: its memory is the program's again. */
void operations_share_over(int count, const MPI_Request requests[]);

/* The program gave its handle away. */
void operation_abandon(struct device_operation *operation, MPI_Request request);
/* Finishes those that the MPI has completed since. */
void operations_sweep(void);

/* Bytes that a status says have arrived; 0 where the message was cancelled. */
size_t bytes_of(const MPI_Status *status);

/* Operations that the MPI has completed, one call's: receives are unpacked together. */
struct completed {
  struct device_operation *operation;
  const MPI_Status *status;
  /* Whether the message arrived. */
  int is_well;
};
int operations_finish(const struct completed completed[], size_t count);

#endif
