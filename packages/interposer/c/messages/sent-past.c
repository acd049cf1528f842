#include "sent-past.h"

#include "host-settle.h"
#include "say.h"

#include <stdlib.h>

static int supports(const struct message *m) { return m->state != NULL; }

static int sent(struct message *m, int is_well) {
  (void)is_well;
  host_send_settle(m->state);
  return MPI_SUCCESS;
}

static void release(struct message *m) {
  host_send_settle(m->state);
  way_trial_ends(m->choice, m->spent_ns);
  free(m->state);
}

static const struct route route_sent_past = {"sent past", supports, give_as_it_is, NULL, sent, NULL, NULL, release};

struct operation *sent_past_make(const struct host_send *send) {
  const struct elements *e = &send->elements;
  struct message m = {0};
  struct operation *made;
  if (LIKELY(send->tried == NULL && !send->is_lying)) return NULL;
  const struct call call = {e->user, e->count, e->type, send->peer, e->communicator, 0, 0, 0};
  m.buffer = buffer_on_host(e->user, e->count, e->bytes, e->type);
  message_describe(&m, &call, STOWAGE_PACK);
  m.code = e->code;
  m.choice = send->tried;
  m.route = &route_sent_past;
  m.state = calloc(1, sizeof *send);
  /* What went before: its room was taken. */
  if (m.choice != NULL) m.spent_ns = now_ns() - send->start_ns;
  if (m.state == NULL || operation_make(&m, &made) != MPI_SUCCESS) end_without_memory("a send of this host");
  return made;
}

void sent_past_begun(struct operation *operation, const struct host_send *send) {
  *(struct host_send *)operation->message.state = *send;
}

int sent_past_forgets(struct message *m) {
  if (m->route != &route_sent_past) return 0;
  host_send_withdraw(m->state);
  m->spent_ns = 0;
  return 1;
}
