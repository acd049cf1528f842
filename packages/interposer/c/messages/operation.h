/* Messages under way whose buffers lie on devices: each is one request of the MPI, whose handle the program has.
 *
 * The operation owns what its route took from the call that began it to the call that completes it: a receive's packed
 * bytes are unpacked there. A persistent request's lives until it is freed. What the program frees while it is under
 * way is kept, asked for now and then, and finished when the MPI is done with it. */
#ifndef STOWAGE_OPERATION_H
#define STOWAGE_OPERATION_H

#include "exported.h"
#include "message.h"

struct operation {
  struct message message;
  int is_active;
  /* A receive that is over and was only asked about (MPI_Request_get_status). */
  int is_unpacked;
  /* The program may free its own handle. */
  MPI_Datatype kept_type;
  int is_kept;
  MPI_Request request;
  struct operation *next;
};

/* How many there are, those too whose handle the program gave away. */
HIDDEN extern size_t operation_count;

/* Makes an operation of a message that was described, which says what the MPI is given; one that is not persistent is
 * begun. MPI_SUCCESS or a class; then there is none. */
int operation_make(const struct message *message, struct operation **operation);
void operation_free(struct operation *operation);
/* Persistent requests of one call begin anew; sends are packed together. MPI_SUCCESS or a class. */
int operations_start(int count, const MPI_Request requests[]);

/* The MPI's call returned with a status: the operation is kept under the request's handle, or it is over. Returns the
 * status. */
int operation_began(struct operation *operation, int status, const MPI_Request *request);
/* The same, where no other message has the request's handle. */
int operation_goes_on(struct operation *operation, int status, MPI_Request request);
/* Under its request's handle; taken out while the MPI may complete it and give the handle to another. */
void operation_put(struct operation *operation, MPI_Request request);
struct operation *operation_find(MPI_Request request);
struct operation *operation_take(MPI_Request request);

/* A send whose packing goes on, under the one handle that an MPI gives for all sends that are over before they have a
 * request. */
void operation_share(struct operation *operation, MPI_Request request);
/* Behind it, where the program asks for that handle, what was sent under it is packed: its memory is the program's
 * again. */
void operations_share_over(int count, const MPI_Request requests[]);

/* The program gave its handle away. */
void operation_abandon(struct operation *operation, MPI_Request request);
/* Finishes those that the MPI has completed since. */
void operations_sweep(void);
/* Behind a call that completes something, by which the program may learn that they are over. Its status. */
static inline int operations_swept(int status) {
  operations_sweep();
  return status;
}

/* Operations that the MPI has completed, one call's: receives are unpacked together. */
struct completed {
  struct operation *operation;
  const MPI_Status *status;
  /* Whether the message arrived. */
  int is_well;
};
int operations_finish(const struct completed completed[], size_t count);
/* One that the MPI says is over, though its request is not freed. */
int operation_is_told(struct operation *operation, const MPI_Status *status);

#endif
