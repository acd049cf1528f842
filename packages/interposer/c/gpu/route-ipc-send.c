#include "route-ipc.h"

#include "placeholder.h"
#include "pending.h"
#include "route-pipelined.h"
#include "route-table.h"
#include "mode.h"
#include "record.h"

#include <string.h>

/* Of a message that is waited for: below, one launch straight to pinned memory takes less. Others share a launch with their kin, and are
 * waited for together. */
static size_t least_bytes(void) {
  const size_t bytes = device_routes()->direct;
  return bytes < OFFER_BYTES ? OFFER_BYTES : bytes;
}

/* With a threshold that no message reaches none goes past the host, waited for or not. */
static int goes_past(const struct device_buffer *b, int is_waited_for) {
  const size_t least = least_bytes();
  return least <= ARENA_BYTES && b->bytes >= (is_waited_for ? least : OFFER_BYTES);
}

static int takes_offers(int peer) {
  if (peer == peer_self) return 1;
  atomic_uchar *answer = &peer_slot(peer)->answers[peer_self];
  unsigned char silent = PEER_SILENT;
  if (atomic_load(answer) == PEER_OPENS) return 1;
  if (atomic_compare_exchange_strong(answer, &silent, PEER_ASKS)) atomic_fetch_add(&peer_slot(peer)->asks, 1);
  return 0;
}

static int has_arena(const struct device_buffer *b) {
  int result;
  struct device_context *context = device_enter(&b->place, &result);
  const int has = context != NULL && arena_is_of(context, &b->place);
  if (context != NULL) device_leave(context);
  return has;
}

static struct device_offer offer_of(const struct arena_piece *piece, size_t bytes) {
  struct device_offer offer = {.owner = (uint16_t)peer_self, .piece = (uint16_t)piece->index, .turn = piece->turn, .at = (uint32_t)piece->at, .bytes = (uint32_t)bytes};
  memcpy(offer.nonce, peer_nonce(), NONCE_BYTES);
  return offer;
}

enum { AT_A_TIME = 64 };

/* What is compared or timed is waited for where it is packed. */
static int is_watched(void) { return mode_verifies() || record_wanted(); }

static int pack_later(struct device_buffer *const buffers[], size_t count) {
  struct device_flag flags[AT_A_TIME];
  if (is_watched()) return 0;
  for (size_t i = 0; i < count; i++) {
    const struct arena_piece *piece = &buffers[i]->envelope->piece;
    flags[i] = (struct device_flag){piece->flag, piece->turn};
    if (piece->flag == 0) return 0;
  }
  return device_pack_later(buffers, flags, count) == MPI_SUCCESS;
}

/* The device goes on packing while envelopes travel. */
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

static int send_now_or_later(struct device_buffer *b, int target, MPI_Comm communicator, int later) {
  b->is_whole |= device_is_whole_among(communicator);
  if (!peers_are_there() || !goes_past(b, !later) || !device_is_launched(b)) return 0;
  const int peer = peer_of(communicator, target);
  if (peer < 0 || !has_arena(b) || !takes_offers(peer) || !device_make_envelope(b, NULL, 1)) return 0;
  b->envelope->peer = peer;
  if (offer(b)) {
    b->is_pending = later && !is_watched() && b->envelope->piece.flag != 0 && pending_is_possible();
    if (b->is_pending || pack(&b, 1)) return 1;
  }
  revoke(b);
  direct_release(b);
  return 0;
}

int direct_send(struct device_buffer *b, int target, MPI_Comm communicator) { return send_now_or_later(b, target, communicator, 0); }
int direct_isend(struct device_buffer *b, int target, MPI_Comm communicator) { return send_now_or_later(b, target, communicator, 1); }

void direct_pack_pending(struct device_buffer *const buffers[], size_t count) {
  int are_there = 1;
  for (size_t i = 0; i < count; i++) are_there &= device_is_there(buffers[i]);
  if (are_there && pack_later(buffers, count)) return;
  for (size_t i = 0; i < count; i++)
    (device_pack(&buffers[i], 1) == MPI_SUCCESS ? arena_is_packed : arena_has_failed)(&buffers[i]->envelope->piece);
}

int direct_keep(struct device_buffer *b, int target, MPI_Comm communicator) {
  b->is_whole |= device_is_whole_among(communicator);
  if (!peers_are_there() || !goes_past(b, 0)) return 0;
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
  if (b->is_pending) pending_flush();
  b->is_packed = 1;
  if (arena_did_fail((unsigned)piece->index, piece->turn)) return MPI_ERR_OTHER;
  for (int spins = 0; spins < 1 << 14; spins++) {
    if (arena_has_packed(piece)) return MPI_SUCCESS;
    __builtin_ia32_pause();
  }
  const int result = device_synchronise(b);
  if (result == 0) arena_is_packed(piece);
  else arena_has_failed(piece);
  return result == 0 ? MPI_SUCCESS : device_failed("packing a device buffer", result);
}

void direct_drop(struct device_buffer *b) {
  if (b->envelope == NULL || !b->envelope->is_sender) return;
  direct_sent(b);
  revoke(b);
}
