#define _GNU_SOURCE 1
#include "route-ipc.h"

#include "placeholder.h"
#include "imported.h"
#include "pending.h"
#include "route-pipelined.h"
#include "next.h"
#include "predefined.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void direct_receive(struct device_buffer *b, int source, MPI_Comm communicator) {
  if (peers_are_there()) {
    imported_answer(&b->place);
    if (b->bytes >= OFFER_BYTES && peer_may_send(communicator, source)) device_make_envelope(b, b->packed, 0);
  }
  b->is_whole |= device_is_whole_among(communicator);
  pipeline_receive(b);
}

int direct_host_receive(void *user, int count, MPI_Datatype type, int source, MPI_Comm communicator, struct device_buffer *b) {
  MPI_Count size = 0;
  if (!peers_are_there() || count <= 0 || type == PREDEFINED_NO_TYPE || communicator == PREDEFINED_NULL) return 0;
  if (NEXT(PMPI_Type_size_x)(type, &size) != MPI_SUCCESS || (size_t)(size * count) < OFFER_BYTES || !peer_may_send(communicator, source)) return 0;
  *b = (struct device_buffer){.user = user, .count = (size_t)count, .bytes = (size_t)(size * count), .type = type, .is_host = 1};
  b->given.memory = user;
  b->given.count = count;
  b->given.type = type;
  if (!device_type_of(type, &b->facts)) return 0;
  if (b->facts.is_dense) return 1;
  unsigned char *bounce = malloc(b->bytes + 1);
  if (bounce != NULL && device_make_envelope(b, bounce, 0)) return 1;
  free(bounce);
  return 0;
}

static void empty(struct device_envelope *envelope) {
  memset(envelope->first, 0, OFFER_BYTES);
  envelope->came = 0;
}

void direct_restart(struct device_buffer *b) {
  if (!b->is_host) imported_answer(&b->place);
  pipeline_restart(b);
  if (b->envelope != NULL) empty(b->envelope);
}

/* What the message began with; NULL: with less than an offer. */
static const struct device_offer *head_of(const struct device_buffer *b) {
  if (b->bytes < OFFER_BYTES) return NULL;
  if (b->envelope != NULL) return b->envelope->came < OFFER_BYTES ? NULL : &b->envelope->offer;
  return (const struct device_offer *)(const void *)(b->is_host ? b->user : b->packed);
}

/* Where no context of ours reaches the sender's arena, the bytes come by way of the host. */
static int fetch(const struct device_offer *offer, struct device_buffer *b) {
  stowage_device_address base;
  int result = 0, is_open = 0;
  /* What this process sends to itself is packed before it is read, in the order of a stream. */
  const int is_own = (int)offer->owner == peer_self;
  if (is_own) pending_flush();
  if (is_own ? arena_did_fail(offer->piece, offer->turn) : !arena_awaits((int)offer->owner, offer->piece, offer->turn))
    return STOWAGE_CUDA_ERROR_FIRST;
  struct device_context *context = b->is_host ? NULL : device_enter(&b->place, &result);
  if (context != NULL) {
    is_open = imported_in(context, &b->place, (int)offer->owner, &base);
    device_leave(context);
  }
  if (is_open) {
    b->far = base + offer->at;
    return 0;
  }
  return imported_read((int)offer->owner, offer->at, b->is_host && b->envelope == NULL ? b->user : b->envelope != NULL ? b->envelope->memory : b->packed,
                       offer->bytes);
}

/* Bytes that were received beside the elements that they are: a message to this process itself takes any part of an element. */
static int unpack_host(const struct device_buffer *b, size_t bytes) {
  static MPI_Comm own;
  static int has_own;
  if (!has_own) has_own = NEXT(PMPI_Comm_dup)(PREDEFINED_SELF, &own) == MPI_SUCCESS;
  if (!has_own || bytes > INT_MAX) return MPI_ERR_OTHER;
  return NEXT(PMPI_Sendrecv)(b->envelope->memory, (int)bytes, PREDEFINED_BYTE, 0, 0, b->user, (int)b->count, b->type, 0, 0, own, MPI_STATUS_IGNORE);
}

/* What is not there any more is an error of its own, behind this (device_unpack). */
static int is_gone(const struct device_buffer *b) { return b->is_kept && !b->is_host && !device_is_there(b); }

int direct_begin(struct device_buffer *b, size_t bytes) {
  const struct device_offer *offer = head_of(b);
  if (offer != NULL && bytes >= OFFER_BYTES && envelope_offers(offer, bytes) && !is_gone(b)) {
    b->offered = *offer;
    b->is_offered = 1;
    const int result = fetch(&b->offered, b);
    if (result != 0) return device_failed("memory that another process offers", result);
  }
  return b->is_host && b->envelope != NULL && bytes > 0 ? unpack_host(b, bytes) : MPI_SUCCESS;
}

/* A message that was not taken may have offered something all the same. */
void direct_end(struct device_buffer *b) {
  const struct device_offer *head = b->is_offered ? &b->offered : head_of(b);
  b->far = 0;
  b->is_offered = 0;
  if (head == NULL || !envelope_offers(head, (size_t)head->bytes)) return;
  atomic_uint *taken = &peer_slot((int)head->owner)->taken[head->piece];
  unsigned before = atomic_load(taken);
  /* Old bytes may say what is long over. */
  while ((int)(head->turn - before) > 0 && !atomic_compare_exchange_weak(taken, &before, head->turn)) continue;
  if (b->envelope != NULL) empty(b->envelope);
}

void direct_release(struct device_buffer *b) {
  if (b->envelope == NULL) return;
  direct_sent(b);
  if (b->is_host) free(b->envelope->memory);
  free(b->envelope);
  b->envelope = NULL;
  b->far = 0;
}

void direct_finish(void) {
  int flag;
  if (!peers_are_there()) return;
  pending_flush();
  peers_leave();
  while (!arena_is_read()) {
    NEXT(PMPI_Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, PREDEFINED_SELF, &flag, MPI_STATUS_IGNORE);
    nanosleep(&(struct timespec){0, 20000}, NULL);
  }
  peers_close();
}
