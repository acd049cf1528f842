#include "timed.h"

#include "host-peers.h"
#include "host-refused.h"
#include "host-trial.h"

static int supports(const struct message *m) { return m->choice != NULL; }

/* Convertors move it. */
static int arrived(struct message *m, size_t bytes, struct gpu_move *move) {
  (void)bytes;
  *move = (struct gpu_move){.buffer = &m->buffer};
  return MPI_SUCCESS;
}

static void release(struct message *m) { way_trial_ends(m->choice, m->spent_ns); }

static const struct route route_timed = {"timed", supports, give_as_it_is, NULL, NULL, arrived, NULL, release};

/* Of a call whose elements and choice are known. */
static void describe(struct message *m, const struct call *call, const struct elements *e, struct way_choice *tried) {
  m->buffer = buffer_on_host(call->user, call->count, e->bytes, call->type);
  message_describe(m, call, STOWAGE_UNPACK);
  m->code = e->code;
  m->choice = tried;
  m->route = &route_timed;
}

/* Of which other host a message from anybody may be is not known: it counts. */
static int is_of_this_host(const struct call *call) {
  if (call->peer == MPI_ANY_SOURCE) return 1;
  const int peer = host_peer_of(call->communicator, call->peer);
  return peer >= 0 && host_peer_inbox(peer) != NULL;
}

int timed_is_received(const struct call *call, struct message *m) {
  if (host_is_refused(call->type, call->count)) return 0;
  struct elements e = {.user = (void *)(uintptr_t)call->user,
                       .count = call->count,
                       .type = call->type,
                       .communicator = call->communicator};
  if (!host_watches() || !host_may_go_past(&e) || !is_of_this_host(call)) return 0;
  struct way_choice *tried;
  host_trial_is_past(&e, &tried);
  if (tried == NULL) return 0;
  way_trial_begins(tried);
  describe(m, call, &e, tried);
  message_call_begins(m);
  return 1;
}

int timed_received(struct message *m, int status) {
  message_call_ends(m);
  if (status != MPI_SUCCESS) m->spent_ns = 0;
  message_release(m);
  return status;
}

int timed_forgets(struct message *m) {
  m->spent_ns = m->route == &route_timed ? 0 : m->spent_ns;
  return m->route == &route_timed;
}
