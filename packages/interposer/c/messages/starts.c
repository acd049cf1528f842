#include "starts.h"

#include "handle-table.h"
#include "host-peers.h"
#include "predefined.h"

#include <stdlib.h>

static struct handle_table receives = HANDLE_TABLE_EMPTY;

/* The program may free its type, and its communicator. */
int starts_of_receive(const struct call *call, int status, const MPI_Request *request) {
  if (!timed_maybe() || status != MPI_SUCCESS || call->count <= 0) return status;
  const int peer = call->peer == MPI_ANY_SOURCE ? call->peer : host_peer_of(call->communicator, call->peer);
  struct call *kept = peer >= 0 || call->peer == MPI_ANY_SOURCE ? malloc(sizeof *kept) : NULL;
  if (kept == NULL) return status;
  *kept = (struct call){call->user, call->count, call->type, peer, PREDEFINED_WORLD, 0, 0, 0};
  if (handle_put(&receives, (uintptr_t)*request, kept)) types_held(kept->type);
  else free(kept);
  return status;
}

static int receive_of(const struct call *call, struct started *now) {
  struct message m;
  if (!timed_is_received(call, &m)) return 0;
  if (operation_make(&m, &now->operation) == MPI_SUCCESS) return 1;
  return way_trial_ends(m.choice, 0), 0;
}

int start_of(MPI_Request request, struct started *now) {
  *now = (struct started){.send = host_persistent_of(request)};
  if (now->send != NULL) {
    now->goes_past = host_persistent_start(now->send);
    now->operation = sent_past_make(now->send);
    return now->goes_past || now->operation != NULL;
  }
  const struct call *call = timed_maybe() ? handle_find(&receives, (uintptr_t)request) : NULL;
  return call != NULL && receive_of(call, now);
}

int start_goes_on(struct started *now, int status, MPI_Request request) {
  if (now->operation == NULL) return status;
  if (now->send != NULL) sent_past_begun(now->operation, now->send);
  return operation_goes_on(now->operation, status, request);
}

void starts_end(MPI_Request request) {
  host_persistent_free(request);
  struct call *call = timed_maybe() ? handle_drop(&receives, (uintptr_t)request) : NULL;
  if (call == NULL) return;
  types_freed(call->type);
  free(call);
}
