/* Receives into memory of the host to which an offer may come. Elements side by side are looked at where they are when
 * the message is over; others are received beside their place, and then unpacked by the MPI. */
#include "failure.h"
#include "ipc.h"
#include "next.h"
#include "predefined.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

struct ipc_to_host {
  struct placeholder placeholder;
  struct ipc_head head;
  /* The packed bytes; NULL: they come to their place. */
  unsigned char *beside;
};

static int supports(const struct message *m) {
  return peers_are_there() && !buffer_is_of_device(&m->buffer) && m->buffer.bytes >= OFFER_BYTES &&
         peer_may_send(m->communicator, m->peer);
}

static void take_bytes(struct placeholder *placeholder, size_t first, const void *packed, size_t length) {
  struct ipc_to_host *r = (struct ipc_to_host *)(void *)placeholder;
  if (head_came(&r->head, first, packed, length)) memcpy(r->beside + first, packed, length);
}

static int give(struct message *m) {
  struct ipc_to_host *r = calloc(1, sizeof *r);
  if (r == NULL) return ROUTE_NOT_NOW;
  m->state = r;
  m->given.memory = m->buffer.user;
  m->given.count = (MPI_Count)m->buffer.count;
  m->given.type = m->buffer.type;
  if (m->buffer.facts.is_dense) return MPI_SUCCESS;
  r->placeholder.unpack = take_bytes;
  r->beside = malloc(m->buffer.bytes);
  if (r->beside != NULL && give_placeholder(m, &r->placeholder)) return MPI_SUCCESS;
  free(r->beside);
  free(r);
  m->state = NULL;
  return ROUTE_NOT_NOW;
}

static int begin(struct message *const messages[], size_t count) {
  for (size_t i = 0; i < count; i++) ((struct ipc_to_host *)messages[i]->state)->head = (struct ipc_head){0};
  return MPI_SUCCESS;
}

/* A message to this process itself takes any part of an element. One at a time: another thread's would match it. */
static int unpack(const struct gpu_buffer *b, const unsigned char *packed, size_t bytes) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  static MPI_Comm own;
  static int has_own;
  if (bytes > INT_MAX) return MPI_ERR_OTHER;
  pthread_mutex_lock(&one_at_a_time);
  if (!has_own) has_own = NEXT(PMPI_Comm_dup)(PREDEFINED_SELF, &own) == MPI_SUCCESS;
  const int class = !has_own ? MPI_ERR_OTHER
                             : NEXT(PMPI_Sendrecv)(packed, (int)bytes, PREDEFINED_BYTE, 0, 0, b->user, (int)b->count,
                                                   b->type, 0, 0, own, MPI_STATUS_IGNORE);
  pthread_mutex_unlock(&one_at_a_time);
  return class;
}

/* Elements side by side begin with what the message began with. */
static void look(struct message *m) {
  struct ipc_to_host *r = m->state;
  if (r->beside == NULL && r->head.came == 0) head_came(&r->head, 0, m->buffer.user, OFFER_BYTES);
}

static int arrived(struct message *m, size_t bytes, struct gpu_move *move) {
  struct ipc_to_host *r = m->state;
  *move = (struct gpu_move){.buffer = &m->buffer};
  if (bytes >= OFFER_BYTES) look(m);
  if (bytes >= OFFER_BYTES && head_offers(&r->head, bytes)) {
    const int result = ipc_read(&r->head.offered, r->beside == NULL ? m->buffer.user : r->beside);
    if (result != 0) return gpu_failed("memory that another process offers", result);
  }
  return r->beside != NULL && bytes > 0 ? unpack(&m->buffer, r->beside, bytes) : MPI_SUCCESS;
}

static void taken(struct message *m) {
  look(m);
  head_taken(&((struct ipc_to_host *)m->state)->head);
}

static void release(struct message *m) {
  struct ipc_to_host *r = m->state;
  free(r->beside);
  free(r);
}

const struct route route_ipc_to_host = {"ipc", supports, give, begin, NULL, arrived, taken, release};
