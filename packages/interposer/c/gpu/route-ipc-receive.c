/* Receives into memory of a device to which an offer may come: its bytes are unpacked out of the sender's arena. What
 * is no offer is the message, through host memory. */
#include "by-host.h"
#include "failure.h"
#include "ipc.h"

#include <stdlib.h>

struct ipc_receive {
  struct placeholder placeholder;
  struct ipc_head head;
  struct message by_host;
};

static int supports(const struct message *m) {
  return peers_are_there() && m->buffer.bytes >= OFFER_BYTES && peer_may_send(m->communicator, m->peer);
}

static void take_bytes(struct placeholder *placeholder, size_t first, const void *packed, size_t length) {
  struct ipc_receive *r = (struct ipc_receive *)(void *)placeholder;
  if (head_came(&r->head, first, packed, length)) given_unpack(&r->by_host, first, packed, length);
}

static int give(struct message *m) {
  struct ipc_receive *r = calloc(1, sizeof *r);
  if (r == NULL || !give_placeholder(m, &r->placeholder)) return free(r), ROUTE_NOT_NOW;
  r->placeholder.unpack = take_bytes;
  r->by_host = *m;
  r->by_host.given.placeholder = NULL;
  const int class = by_host_give(&r->by_host);
  m->state = class == MPI_SUCCESS ? r : NULL;
  if (class != MPI_SUCCESS) free(r);
  return class;
}

static int begin(struct message *const messages[], size_t count) {
  int class = MPI_SUCCESS;
  for (size_t i = 0; i < count && class == MPI_SUCCESS; i++) {
    struct ipc_receive *r = messages[i]->state;
    struct message *by_host = &r->by_host;
    r->head = (struct ipc_head){0};
    class = route_begin(by_host->route, &by_host, 1);
  }
  return class;
}

/* Where no context of ours reaches the sender's arena, the bytes come through host memory. */
static int fetch(const struct ipc_receive *r, const struct gpu_place *place, struct gpu_move *move) {
  int result;
  const gpu_address far = ipc_reach(&r->head.offered, place, &result);
  if (result == 0 && far == 0) result = ipc_read(&r->head.offered, move->packed.near);
  if (result != 0) return gpu_failed("memory that another process offers", result);
  move->packed.far = far;
  move->first = 0;
  move->length = r->head.offered.bytes;
  if (far != 0) move->most = 0;
  return MPI_SUCCESS;
}

static int arrived(struct message *m, size_t bytes, struct gpu_move *move) {
  struct ipc_receive *r = m->state;
  const int class = r->by_host.route->arrived(&r->by_host, bytes, move);
  move->buffer = &m->buffer;
  return class == MPI_SUCCESS && head_offers(&r->head, bytes) ? fetch(r, &m->buffer.place, move) : class;
}

static void taken(struct message *m) {
  struct ipc_receive *r = m->state;
  head_taken(&r->head);
  if (r->by_host.route->taken != NULL) r->by_host.route->taken(&r->by_host);
}

static void release(struct message *m) {
  struct ipc_receive *r = m->state;
  r->by_host.route->release(&r->by_host);
  free(r);
}

const struct route route_ipc_receive = {"ipc", supports, give, begin, NULL, arrived, taken, release};
