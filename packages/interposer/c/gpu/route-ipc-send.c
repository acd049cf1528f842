/* Sends from GPU memory to GPU memory: packed into this process's arena, by a launch that goes on while the offer
 * travels. */
#include "begin.h"
#include "by-host.h"
#include "failure.h"
#include "ipc.h"
#include "pending.h"
#include "route-table.h"

#include <stdlib.h>

struct ipc_send {
  struct placeholder placeholder;
  struct offer offer;
  int peer;
  /* The arena's piece; its index is -1 where the message goes through host memory. */
  struct arena_piece piece;
  /* Its packing has not begun; nothing of it is read any more. */
  int is_pending, is_packed;
  /* What is packed later may outlive the program's handle. */
  MPI_Datatype kept_type;
  int is_kept;
  /* The message through host memory, once it has gone so. */
  struct message by_host;
};

/* --- Which --- */

/* Whether a message goes from GPU memory to GPU memory. If it is waited for, the threshold decides: below, one launch
 * straight to pinned memory takes less. Others share a launch with their kin, and are waited for together. With a
 * threshold that no message reaches none goes so, waited for or not. */
static int goes_past(const struct message *m) {
  const size_t asked = route_table()->ipc, least = asked < OFFER_BYTES ? OFFER_BYTES : asked;
  return least <= ARENA_BYTES && m->buffer.bytes >= (m->is_waited_for ? least : OFFER_BYTES);
}

static int takes_offers(int peer) {
  if (peer == peer_self) return 1;
  atomic_uchar *answer = &peer_slot(peer)->answers[peer_self];
  unsigned char silent = PEER_SILENT;
  if (atomic_load(answer) == PEER_OPENS) return 1;
  if (atomic_compare_exchange_strong(answer, &silent, PEER_ASKS)) atomic_fetch_add(&peer_slot(peer)->asks, 1);
  return 0;
}

static int has_arena(const struct gpu_buffer *b) {
  int result;
  struct gpu_context *context = context_enter(&b->place, &result);
  const int has = context != NULL && arena_is_of(context, &b->place);
  if (context != NULL) context_leave();
  return has;
}

static int can_go_now(const struct message *m, int peer) {
  return buffer_is_launched(&m->buffer) && has_arena(&m->buffer) && takes_offers(peer);
}

/* A persistent one may go either way at each start. */
static int supports(const struct message *m) {
  if (!peers_are_there() || !goes_past(m)) return 0;
  const int peer = peer_of(m->communicator, m->peer);
  return peer >= 0 && (m->is_persistent || can_go_now(m, peer));
}

/* --- Its bytes --- */

static void give_bytes(struct placeholder *placeholder, size_t first, void *packed, size_t length) {
  const struct ipc_send *s = (const struct ipc_send *)(const void *)placeholder;
  if (s->piece.index < 0) given_pack(&s->by_host, first, packed, length);
  else if (of_head(first, length) > 0) memcpy(packed, (const unsigned char *)&s->offer + first, of_head(first, length));
}

/* Takes a piece for the message. 0: there is no room, now. */
static int take(struct message *m) {
  struct ipc_send *s = m->state;
  if (!arena_take(m->buffer.bytes, s->peer, &s->piece)) return 0;
  s->is_packed = 0;
  s->offer = offer_of(&s->piece, m->buffer.bytes);
  return 1;
}

static void revoke(struct ipc_send *s) {
  arena_give(&s->piece);
  s->piece.index = -1;
}

static void drop(struct message *m) {
  free(m->state);
  m->state = NULL;
  m->given.placeholder = NULL;
}

static int give(struct message *m) {
  struct ipc_send *s = calloc(1, sizeof *s);
  if (s == NULL) return ROUTE_NOT_NOW;
  m->state = s;
  s->placeholder.pack = give_bytes;
  s->peer = peer_of(m->communicator, m->peer);
  s->piece.index = -1;
  if (give_placeholder(m, &s->placeholder) && (m->is_persistent || take(m))) return MPI_SUCCESS;
  drop(m);
  return ROUTE_NOT_NOW;
}

/* --- Packing --- */

static struct gpu_move move_of(const struct message *m) {
  const struct ipc_send *s = m->state;
  return (struct gpu_move){.buffer = &m->buffer, .packed.far = s->piece.address, .length = m->buffer.bytes};
}

/* The device goes on packing while offers travel. What is compared or timed is waited for. */
static int pack_later(struct message *const messages[], size_t count) {
  struct gpu_move moves[MOST_MOVES];
  struct gpu_flag flags[MOST_MOVES];
  if (moves_are_watched()) return 0;
  for (size_t i = 0; i < count; i++) {
    const struct arena_piece *piece = &((const struct ipc_send *)messages[i]->state)->piece;
    moves[i] = move_of(messages[i]);
    flags[i] = (struct gpu_flag){piece->flag, piece->turn};
    if (piece->flag == 0) return 0;
  }
  return moves_begin(moves, flags, count);
}

static int pack(struct message *const messages[], size_t count) {
  struct gpu_move moves[MOST_MOVES];
  if (pack_later(messages, count)) return 1;
  for (size_t i = 0; i < count; i++) moves[i] = move_of(messages[i]);
  if (moves_run(STOWAGE_PACK, moves, count) != MPI_SUCCESS) return 0;
  for (size_t i = 0; i < count; i++) arena_is_packed(&((struct ipc_send *)messages[i]->state)->piece);
  return 1;
}

/* Those that waited for one another; what fails is told where the MPI is done with them. */
static void pack_pending(struct message *const messages[], size_t count) {
  int are_there = 1;
  for (size_t i = 0; i < count; i++) are_there &= buffer_is_there(&messages[i]->buffer);
  if (are_there && pack_later(messages, count)) return;
  for (size_t i = 0; i < count; i++) {
    const struct arena_piece *piece = &((const struct ipc_send *)messages[i]->state)->piece;
    const struct gpu_move move = move_of(messages[i]);
    const int is_there = buffer_is_there(&messages[i]->buffer);
    if (!is_there) gpu_is_gone();
    (is_there && moves_run(STOWAGE_PACK, &move, 1) == MPI_SUCCESS ? arena_is_packed : arena_has_failed)(piece);
  }
}

/* Nonblocking sends that follow one another are packed by one launch. */
static int wait_for_others(struct message *m) {
  struct ipc_send *s = m->state;
  if (m->is_waited_for || m->is_persistent || moves_are_watched() || s->piece.flag == 0 || !pending_is_possible())
    return 0;
  if (!types_keep(m->buffer.type, &s->kept_type)) return 0;
  s->is_kept = s->is_pending = 1;
  m->buffer.type = s->kept_type;
  pending_add(m, pack_pending);
  return 1;
}

/* Through host memory, this time. */
static int give_by_host(struct message *m) {
  struct ipc_send *s = m->state;
  revoke(s);
  if (s->by_host.route != NULL) return MPI_SUCCESS;
  s->by_host = *m;
  s->by_host.given.placeholder = NULL;
  const int class = by_host_give(&s->by_host);
  if (class != MPI_SUCCESS) s->by_host.route = NULL;
  return class;
}

static int begin_by_host(struct message *const messages[], size_t count) {
  struct message *by_host[MOST_MOVES];
  for (size_t i = 0; i < count; i++) {
    const int class = give_by_host(messages[i]);
    if (class != MPI_SUCCESS) return class;
    by_host[i] = &((struct ipc_send *)messages[i]->state)->by_host;
  }
  return begin_all(by_host, count);
}

static int begin(struct message *const messages[], size_t count) {
  struct message *past[MOST_MOVES], *others[MOST_MOVES];
  size_t some = 0, rest = 0;
  for (size_t i = 0; i < count; i++) {
    struct message *m = messages[i];
    struct ipc_send *s = m->state;
    if (m->is_persistent) s->piece.index = -1;
    const int goes = m->is_persistent ? can_go_now(m, s->peer) && take(m) : 1;
    if (!goes) others[rest++] = m;
    else if (count > 1 || !wait_for_others(m)) past[some++] = m;
  }
  if (some > 0 && !pack(past, some))
    for (; some > 0; some--) others[rest++] = past[some - 1];
  return begin_by_host(others, rest);
}

/* --- Its end --- */

/* Most often the device is done by then. */
static int await(struct message *m) {
  struct ipc_send *s = m->state;
  if (s->piece.index < 0 || s->is_packed) return MPI_SUCCESS;
  if (s->is_pending) pending_flush();
  s->is_packed = 1;
  if (arena_did_fail((unsigned)s->piece.index, s->piece.turn)) return MPI_ERR_OTHER;
  for (int spins = 0; spins < 1 << 14; spins++) {
    if (arena_has_packed(&s->piece)) return MPI_SUCCESS;
    __builtin_ia32_pause();
  }
  const int result = context_synchronise(&m->buffer.place);
  (result == 0 ? arena_is_packed : arena_has_failed)(&s->piece);
  return result == 0 ? MPI_SUCCESS : gpu_failed("packing a device buffer", result);
}

static int sent(struct message *m, int is_well) {
  struct ipc_send *s = m->state;
  if (s->piece.index < 0 && s->by_host.route != NULL) return route_sent(&s->by_host, is_well);
  const int class = await(m);
  if (!is_well) revoke(s);
  return class;
}

static void release(struct message *m) {
  struct ipc_send *s = m->state;
  sent(m, 1);
  if (s->by_host.route != NULL) s->by_host.route->release(&s->by_host);
  if (s->is_kept) types_drop(&s->kept_type);
  drop(m);
}

const struct route route_ipc_send = {"ipc", supports, give, begin, sent, NULL, NULL, release};
