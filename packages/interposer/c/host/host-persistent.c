#include "host-persistent.h"

#include "handle-table.h"
#include "host-lying.h"
#include "predefined.h"
#include "under-way.h"

#include <stdlib.h>

static struct handle_table requests = HANDLE_TABLE_EMPTY;

/* The MPI prepares the request for its sends, and asks for no bytes yet: nothing is to be offered. */
struct host_send *host_persistent_begin(const void *user, MPI_Count count, MPI_Datatype type, int peer,
                                        MPI_Comm communicator) {
  struct host_send send = {.is_offered = 1, .is_packed = 1};
  if (!host_send_describe(&send, user, count, type, peer, communicator)) return NULL;
  struct host_send *made = malloc(sizeof *made);
  if (made == NULL) return NULL;
  *made = send;
  /* The program may free its own. */
  made->elements.communicator = PREDEFINED_WORLD;
  return host_sending = made;
}

/* From 6.0 on Open MPI prepares each start anew, by the datatype that the program may have freed. */
int host_persistent_made(struct host_send *send, int status, const MPI_Request *request) {
  host_sending = NULL;
  if (status != MPI_SUCCESS || !handle_put(&requests, (uintptr_t)*request, send)) free(send);
  else types_held(send->elements.type);
  return status;
}

struct host_send *host_persistent_of(MPI_Request request) { return handle_find(&requests, (uintptr_t)request); }

/* Its memory may have been given back since, and be another block's. */
int host_persistent_start(struct host_send *send) {
  if (send->runs != NULL) send->runs = host_lying_runs(&send->elements, &send->block);
  return host_send_start(send);
}

void host_persistent_free(MPI_Request request) {
  struct host_send *send = handle_drop(&requests, (uintptr_t)request);
  if (send == NULL) return;
  types_freed(send->elements.type);
  free(send);
}
