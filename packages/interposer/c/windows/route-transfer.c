#include "route-transfer.h"

#include "next.h"
#include "predefined.h"

static int supports(const struct message *m) { return (void)m, 0; }

static int give(struct message *m) {
  m->given.memory = transfer_given(m->state)->memory;
  return MPI_SUCCESS;
}

static int arrived(struct message *m, size_t bytes, struct gpu_move *move) {
  *move = (struct gpu_move){.buffer = &m->buffer};
  if (bytes > 0) transfer_requested_over(m->state);
  return MPI_SUCCESS;
}

static void release(struct message *m) { transfer_drop(m->state); }

static const struct route route_transfer = {"window", supports, give, NULL, NULL, arrived, NULL, release};

struct operation *transfer_operation(struct transfer *t, enum stowage_direction direction) {
  const struct elements *e = transfer_elements(t);
  struct operation *operation = NULL;
  const struct message message = {.buffer = buffer_on_host(e->user, e->count, e->bytes, e->type),
                                  .direction = direction,
                                  .communicator = PREDEFINED_SELF,
                                  .is_whole = 1,
                                  .is_never_cancelled = 1,
                                  .route = &route_transfer,
                                  .state = t};
  return operation_make(&message, &operation) == MPI_SUCCESS ? operation : NULL;
}

/* Transfers that are over at once may share one handle. */
int transfer_requested(struct operation *operation, struct transfer *t, int status, const MPI_Request *request) {
  int is_complete = 0;
  if (status != MPI_SUCCESS) return operation_began(operation, status, request);
  NEXT(PMPI_Request_get_status)(*request, &is_complete, MPI_STATUS_IGNORE);
  if (!is_complete) {
    transfer_keep(t);
    return operation_began(operation, status, request);
  }
  transfer_requested_over(t);
  operation_free(operation);
  return status;
}
