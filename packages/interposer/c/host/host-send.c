#include <mpi.h>

#include "host-send.h"

#include "heap-seen.h"
#include "host-choice.h"
#include "host-lying.h"
#include "host-peers.h"
#include "host-reads.h"
#include "host-refused.h"
#include "host-settle.h"
#include "host-trial.h"
#include "mode.h"
#include "next.h"
#include "move-range.h"
#include "predefined.h"
#include "record.h"
#include "say.h"
#include "type-shape.h"
#include "under-way.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t described, messages_sent, bytes_sent;

void (*host_sends_opened)(void) = NULL;

void host_sends_open(void) {
  static int is_open;
  if (inbox_own == NULL || host_sends_opened == NULL || __atomic_exchange_n(&is_open, 1, __ATOMIC_RELAXED)) return;
  host_sends_opened();
}

/* The receiver does not know of the block yet. */
static void tell_of_block(struct inbox_message *m, const struct heap_block *block) {
  atomic_store_explicit(&m->block, block->id, memory_order_relaxed);
  atomic_store_explicit(&m->file, block->file, memory_order_relaxed);
  atomic_store_explicit(&m->word, host_reads_place(), memory_order_relaxed);
}

/* Elements stay where they lie where the receiver can read that memory; else it is told of it. */
static void lie(struct host_send *send) {
  struct inbox_message *m = host_send_message(send);
  atomic_store_explicit(&m->state, INBOX_PACKED, memory_order_relaxed);
  atomic_store_explicit(&m->block, 0, memory_order_relaxed);
  if (LIKELY(send->runs == NULL)) return;
  send->is_lying = heap_is_seen(send->inbox, send->block.id);
  if (send->is_lying) host_lying_offer(m, &send->elements, send->runs, &send->block);
  else tell_of_block(m, &send->block);
}

/* Its room, and what the MPI is to carry of it. */
static int is_offerable(struct host_send *send) {
  if ((send->offer.chunk = inbox_claim(send->inbox, send->offer.bytes, host_peer_use(send->peer))) < 0) return 0;
  memcpy(send->offer.nonce, send->inbox->nonce, sizeof send->offer.nonce);
  send->offer.process = (int32_t)getpid();
  send->is_offered = send->is_carried = send->is_refused = send->is_packed = 0;
  send->packed = send->places = send->taken = 0;
  atomic_store_explicit(&host_send_message(send)->piece, (uint32_t)send->piece, memory_order_relaxed);
  send->request = NULL;
  lie(send);
  return 1;
}

int host_send_describe(struct host_send *send, const void *user, MPI_Count count, MPI_Datatype type, int peer,
                       MPI_Comm communicator) {
  if (inbox_own == NULL || !mode_takes_offers()) return 0;
  send->elements =
      (struct elements){.user = (void *)(uintptr_t)user, .count = count, .type = type, .communicator = communicator};
  if (!host_is_movable(&send->elements) || (send->peer = host_peer_of(communicator, peer)) < 0) return 0;
  send->runs = host_lying_runs(&send->elements, &send->block);
  if (send->runs == NULL && host_is_left(&send->elements)) return 0;
  send->number = __atomic_add_fetch(&described, 1, __ATOMIC_RELAXED);
  send->offer.bytes = send->elements.bytes;
  send->piece = host_piece_bytes(send->offer.bytes, side_by_side_bytes(&send->elements.code, (size_t)count));
  return 1;
}

/* Bytes up to there may be read. */
static void tell(struct host_send *send, size_t packed) {
  send->packed = packed;
  atomic_store_explicit(&host_send_message(send)->packed, packed, memory_order_release);
}

static size_t pieces_read(const struct inbox_message *m, size_t piece) {
  return atomic_load_explicit(&m->read, memory_order_acquire) / piece;
}

/* Where the next piece goes: to the place of the first that was read, whose own nobody has yet, or to a new one. */
static size_t place_of(struct host_send *send, size_t number, size_t piece) {
  struct inbox_message *m = host_send_message(send);
  const int is_read = number >= INBOX_FRESH_BYTES / piece && send->taken < pieces_read(m, piece);
  const size_t place = is_read ? inbox_place(m, send->taken++) : send->places++;
  inbox_put(m, number, place);
  return place;
}

void host_send_progress(void) {
  int is_there;
  BEHIND(NEXT(PMPI_Iprobe)(host_own_rank(), MPI_ANY_TAG, PREDEFINED_WORLD, &is_there, MPI_STATUS_IGNORE));
}

/* An MPI may carry the offer when it makes progress next: the receiver waits for it, and for one piece. The request
 * itself is not asked: from 4.2 on MPICH takes the status of a persistent one from whoever asks first. */
static void make_progress(const struct host_send *send) {
  if (!__atomic_load_n(&send->is_carried, __ATOMIC_RELAXED) && send->request != NULL) host_send_progress();
}

int host_send_pack_piece(struct host_send *send) {
  const struct elements *e = &send->elements;
  const size_t piece = send->piece, first = send->packed, left = e->bytes - first;
  const size_t length = left < piece ? left : piece;
  if (left == 0) return 0;
  unsigned char *place = host_send_message(send)->bytes + place_of(send, first / piece, piece) * piece;
  move_range(e->code.kernel, STOWAGE_PACK, e->user, (size_t)e->count, place, first, length);
  tell(send, first + length);
  return 1;
}

/* By both, whole; what the MPI packed counts. */
static void pack_verified(struct host_send *send) {
  const size_t bytes = send->elements.bytes, piece = send->piece;
  unsigned char *to = host_send_message(send)->bytes;
  elements_copy(&send->elements, to);
  elements_compare_packed(&send->elements, to);
  for (size_t i = 0; i * piece < bytes; i++) inbox_put(host_send_message(send), i, i);
  tell(send, bytes);
}

/* By the list of their runs, and by the MPI; where these differ they are packed. */
static void verify_lying(struct host_send *send) {
  unsigned char *packed = malloc(send->elements.bytes);
  if (packed != NULL) host_lying_copy(host_send_message(send), &send->block, send->elements.bytes, packed);
  send->is_lying = packed != NULL && !elements_compare_packed(&send->elements, packed);
  if (!send->is_lying) atomic_store_explicit(&host_send_message(send)->state, INBOX_PACKED, memory_order_relaxed);
  free(packed);
}

/* 0: there is none left. */
static int pack_some(struct host_send *send) {
  if (send->is_lying) return 0;
  if (!mode_verifies()) return host_send_pack_piece(send);
  if (send->packed < send->elements.bytes) pack_verified(send);
  return 0;
}

static void packed(struct host_send *send) {
  send->is_packed = 1;
  __atomic_fetch_add(&messages_sent, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&bytes_sent, send->offer.bytes, __ATOMIC_RELAXED);
}

/* By whoever comes first to it: what is received meanwhile may pack the rest (host_send_catch_up). Whether all is. */
static int pack_on(struct host_send *send) {
  under_way_lock(send);
  if (!send->is_packed && !pack_some(send)) packed(send);
  const int are_all = send->is_packed;
  under_way_unlock(send);
  return are_all;
}

static void pack_offered(struct host_send *send) {
  const int64_t start_ns = record_start();
  while (!pack_on(send)) make_progress(send);
  if (start_ns != 0) record_packed(send->elements.code.entry, STOWAGE_PACK, start_ns, 1);
}

static void catch_up(struct host_send *send) {
  if (!__atomic_load_n(&send->is_offered, __ATOMIC_ACQUIRE)) return;
  while (!pack_on(send)) continue;
}

void host_send_catch_up(void) { under_way_each(catch_up); }

void host_send_pack(struct host_send *send) {
  if (send->is_offered) pack_offered(send);
  under_way_leave(send);
  if (send->is_offered && !send->is_refused) return;
  send->is_lying = 0;
  inbox_release(send->inbox, send->offer.chunk, send->offer.bytes);
}

static int start(struct host_send *send, int goes_past) {
  if (!goes_past || !is_offerable(send)) return 0;
  if (send->is_lying && mode_verifies()) verify_lying(send);
  /* By a call of the MPI, for whose lock another thread would wait that packs the rest. */
  if (!send->is_lying && under_way_is_shared && mode_verifies()) pack_verified(send);
  under_way_enter(send);
  return 1;
}

static int has_inbox(struct host_send *send) { return (send->inbox = host_peer_inbox(send->peer)) != NULL; }

int host_send_start(struct host_send *send) {
  send->tried = NULL;
  send->is_lying = 0;
  if (!mode_takes_offers() || !has_inbox(send)) return 0;
  const int goes_past = host_trial_is_past(&send->elements, &send->tried);
  if (send->tried != NULL) {
    way_trial_begins(send->tried);
    send->start_ns = now_ns();
  }
  return start(send, goes_past);
}

int host_send_begin(struct host_send *send, const void *user, MPI_Count count, MPI_Datatype type, int peer,
                    MPI_Comm communicator) {
  send->tried = NULL;
  send->is_lying = 0;
  if (host_is_refused(type, count)) return 0;
  return host_send_describe(send, user, count, type, peer, communicator) && host_send_start(send);
}

void host_sends_say(int rank) {
  if (messages_sent > 0)
    say("rank %d: sent %" PRIu64 " messages of %" PRIu64 " bytes past the MPI", rank, messages_sent, bytes_sent);
  host_settled_say(rank);
}
