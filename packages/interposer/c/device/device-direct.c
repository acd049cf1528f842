#define _GNU_SOURCE 1
#include "device-direct.h"

#include "device-envelope.h"
#include "device-imported.h"
#include "device-pipeline.h"
#include "device-routes.h"
#include "mode.h"
#include "next.h"
#include "predefined.h"
#include "record.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Below, one launch straight to pinned memory takes less. */
static size_t least_bytes(void) {
  const size_t bytes = device_routes()->direct;
  return bytes < OFFER_BYTES ? OFFER_BYTES : bytes;
}

/* --- Sends --- */

static int takes_offers(int peer) {
  atomic_uchar *answer = &peer_slot(peer)->answers[peer_self];
  unsigned char silent = PEER_SILENT;
  if (atomic_load(answer) == PEER_OPENS) return 1;
  if (atomic_compare_exchange_strong(answer, &silent, PEER_ASKS)) atomic_fetch_add(&peer_slot(peer)->asks, 1);
  return 0;
}

static int has_arena(const struct device_buffer *b) {
  int result;
  struct device_context *context = device_enter(&b->place, &result);
  const int has = context != NULL && arena_is_of(context);
  if (context != NULL) device_leave(context);
  return has;
}

static struct device_offer offer_of(const struct arena_piece *piece, size_t bytes) {
  struct device_offer offer = {.owner = (uint32_t)peer_self, .piece = (uint32_t)piece->index, .turn = piece->turn, .at = piece->at, .bytes = bytes};
  memcpy(offer.nonce, peer_nonce(), NONCE_BYTES);
  return offer;
}

enum { AT_A_TIME = 64 };

static int pack_later(struct device_buffer *const buffers[], size_t count) {
  struct device_flag flags[AT_A_TIME];
  if (mode_verifies() || record_wanted()) return 0;
  for (size_t i = 0; i < count; i++) {
    const struct arena_piece *piece = &buffers[i]->envelope->piece;
    flags[i] = (struct device_flag){piece->flag, piece->turn};
    if (piece->flag == 0) return 0;
  }
  return device_pack_later(buffers, flags, count) == MPI_SUCCESS;
}

/* The device goes on packing while envelopes travel; what is compared or timed is waited for here. */
static int pack(struct device_buffer *const buffers[], size_t count) {
  if (pack_later(buffers, count)) return 1;
  if (device_pack(buffers, count) != MPI_SUCCESS) return 0;
  for (size_t i = 0; i < count; i++) arena_is_packed(&buffers[i]->envelope->piece);
  return 1;
}

/* Takes a piece for the message. 0: its bytes go by way of the host. */
static int offer(struct device_buffer *b) {
  struct arena_piece *piece = &b->envelope->piece;
  if (!takes_offers(b->envelope->peer) || !arena_take(b->bytes, b->envelope->peer, piece)) return 0;
  b->far = piece->address;
  b->is_packed = 0;
  b->envelope->offer = offer_of(piece, b->bytes);
  return 1;
}

static void revoke(struct device_buffer *b) {
  arena_give(&b->envelope->piece);
  b->envelope->piece.index = -1;
  b->far = 0;
}

int direct_send(struct device_buffer *b, int target, MPI_Comm communicator) {
  if (!peers_are_there() || b->bytes < least_bytes() || !device_is_launched(b)) return 0;
  const int peer = peer_of(communicator, target);
  if (peer < 0 || !has_arena(b) || !takes_offers(peer) || !device_make_envelope(b, NULL, 1)) return 0;
  b->envelope->peer = peer;
  if (offer(b) && pack(&b, 1)) return 1;
  revoke(b);
  direct_release(b);
  return 0;
}

int direct_keep(struct device_buffer *b, int target, MPI_Comm communicator) {
  if (!peers_are_there() || b->bytes < least_bytes()) return 0;
  const int peer = peer_of(communicator, target);
  if (peer < 0 || !device_make_envelope(b, NULL, 1)) return 0;
  b->envelope->peer = peer;
  return 1;
}

/* By way of the host, this time: memory of the host is taken when it is needed for the first time. */
static int stage(struct device_buffer *b) {
  const int class = b->staging == NULL ? device_stage(b) : MPI_SUCCESS;
  if (b->envelope == NULL) return class;
  b->envelope->memory = b->packed;
  revoke(b);
  if (class == MPI_SUCCESS) pipeline_keep(b);
  return class;
}

static int start_some(struct device_buffer *const buffers[], size_t count) {
  struct device_buffer *far[AT_A_TIME], *near[AT_A_TIME];
  size_t fars = 0, nears = 0;
  for (size_t i = 0; i < count; i++) {
    struct device_buffer *b = buffers[i];
    if (b->envelope != NULL) b->envelope->piece.index = -1;
    const int goes_far = b->envelope != NULL && b->envelope->peer >= 0 && device_is_launched(b) && device_is_there(b) && has_arena(b) && offer(b);
    if (goes_far) far[fars++] = b;
    else near[nears++] = b;
  }
  if (fars > 0 && !pack(far, fars))
    for (; fars > 0; fars--) near[nears++] = far[fars - 1];
  for (size_t i = 0; i < nears; i++) {
    const int class = stage(near[i]);
    if (class != MPI_SUCCESS) return class;
  }
  return pipeline_pack(near, nears);
}

int direct_start(struct device_buffer *const buffers[], size_t count) {
  int class = MPI_SUCCESS;
  for (size_t at = 0; at < count && class == MPI_SUCCESS; at += AT_A_TIME)
    class = start_some(buffers + at, count - at < AT_A_TIME ? count - at : AT_A_TIME);
  for (size_t i = 0; i < count && class != MPI_SUCCESS; i++) direct_drop(buffers[i]);
  return class;
}

/* Most often the device is done by then. */
int direct_sent(struct device_buffer *b) {
  if (pipeline_sent(b) != MPI_SUCCESS) return MPI_ERR_OTHER;
  if (b->envelope == NULL || !b->envelope->is_sender || b->envelope->piece.index < 0 || b->is_packed) return MPI_SUCCESS;
  const struct arena_piece *piece = &b->envelope->piece;
  b->is_packed = 1;
  for (int spins = 0; spins < 1 << 14; spins++) {
    if (arena_has_packed(piece)) return MPI_SUCCESS;
    __builtin_ia32_pause();
  }
  const int result = device_synchronise(b);
  if (result == 0) arena_is_packed(piece);
  else arena_has_failed(piece);
  return result == 0 ? MPI_SUCCESS : device_failed("packing a device buffer", result);
}

/* --- Receives --- */

void direct_receive(struct device_buffer *b, int source, MPI_Comm communicator) {
  if (peers_are_there()) {
    imported_answer(&b->place);
    if (b->bytes >= least_bytes() && peer_may_send(communicator, source)) device_make_envelope(b, b->packed, 0);
  }
  pipeline_receive(b);
}

int direct_host_receive(void *user, int count, MPI_Datatype type, int source, MPI_Comm communicator, struct device_buffer *b) {
  MPI_Count size = 0;
  if (!peers_are_there() || count <= 0 || type == PREDEFINED_NO_TYPE || communicator == PREDEFINED_NULL) return 0;
  if (NEXT(PMPI_Type_size_x)(type, &size) != MPI_SUCCESS || (size_t)(size * count) < least_bytes() || !peer_may_send(communicator, source)) return 0;
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
  if (b->bytes < least_bytes()) return NULL;
  if (b->envelope != NULL) return b->envelope->came < OFFER_BYTES ? NULL : &b->envelope->offer;
  return (const struct device_offer *)(const void *)(b->is_host ? b->user : b->packed);
}

/* Where no context of ours reaches the sender's arena, the bytes come by way of the host. */
static int fetch(const struct device_offer *offer, struct device_buffer *b) {
  stowage_device_address base;
  int result = 0, is_open = 0;
  if (!arena_awaits((int)offer->owner, offer->piece, offer->turn)) return STOWAGE_CUDA_ERROR_FIRST;
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
  if (offer != NULL && bytes >= least_bytes() && envelope_offers(offer, bytes) && !is_gone(b)) {
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

void direct_drop(struct device_buffer *b) {
  if (b->envelope == NULL || !b->envelope->is_sender) return;
  direct_sent(b);
  revoke(b);
}

void direct_release(struct device_buffer *b) {
  if (b->envelope == NULL) return;
  direct_sent(b);
  if (b->is_host) free(b->envelope->memory);
  free(b->envelope);
  b->envelope = NULL;
  b->far = 0;
}

/* --- The end --- */

void direct_finish(void) {
  int flag;
  if (!peers_are_there()) return;
  peers_leave();
  while (!arena_is_read()) {
    NEXT(PMPI_Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, PREDEFINED_SELF, &flag, MPI_STATUS_IGNORE);
    nanosleep(&(struct timespec){0, 20000}, NULL);
  }
  peers_close();
}
