#include <mpi.h>

#include "host-send.h"

#include "host-choice.h"
#include "host-peers.h"
#include "host-trial.h"
#include "mode.h"
#include "move-range.h"
#include "record.h"
#include "say.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

_Thread_local struct host_send *host_sending = NULL;
static uint64_t described, messages_sent, bytes_sent;

void (*host_sends_opened)(void) = NULL;

void host_sends_open(void) {
  static int is_open;
  if (inbox_own == NULL || host_sends_opened == NULL || __atomic_exchange_n(&is_open, 1, __ATOMIC_RELAXED)) return;
  host_sends_opened();
}

/* Its room, and what the MPI is to carry of it. */
static int is_offerable(struct host_send *send) {
  if ((send->offer.chunk = inbox_claim(send->inbox, send->offer.bytes)) < 0) return 0;
  memcpy(send->offer.nonce, send->inbox->nonce, sizeof send->offer.nonce);
  send->offer.process = (int32_t)getpid();
  send->is_offered = send->is_packed = 0;
  return 1;
}

int host_send_describe(struct host_send *send, const void *user, MPI_Count count, MPI_Datatype type, int peer,
                       MPI_Comm communicator) {
  if (inbox_own == NULL || !mode_is(MODE_CONVERTOR)) return 0;
  send->elements =
      (struct elements){.user = (void *)(uintptr_t)user, .count = count, .type = type, .communicator = communicator};
  if (!host_may_go_past(&send->elements) || (send->peer = host_peer_of(communicator, peer)) < 0) return 0;
  send->number = __atomic_add_fetch(&described, 1, __ATOMIC_RELAXED);
  send->offer.bytes = send->elements.bytes;
  return 1;
}

static int start(struct host_send *send, int goes_past) {
  if (!goes_past || !is_offerable(send)) return 0;
  host_sending = send;
  return 1;
}

static int has_inbox(struct host_send *send) { return (send->inbox = host_peer_inbox(send->peer)) != NULL; }

int host_send_start(struct host_send *send) {
  if (!mode_is(MODE_CONVERTOR) || !has_inbox(send)) return 0;
  return start(send, host_trial_sends_past(&send->elements, 1, &send->tried));
}

int host_send_begin(struct host_send *send, const void *user, MPI_Count count, MPI_Datatype type, int peer,
                    MPI_Comm communicator) {
  send->tried = NULL;
  if (!host_send_describe(send, user, count, type, peer, communicator) || !has_inbox(send)) return 0;
  const int goes_past = host_trial_sends_past(&send->elements, 0, &send->tried);
  if (send->tried != NULL) {
    way_trial_begins(send->tried);
    send->start_ns = now_ns();
  }
  return start(send, goes_past);
}

/* Bytes up to there may be read. */
static void tell(const struct host_send *send, size_t packed) {
  atomic_store_explicit(&send->inbox->messages[send->offer.chunk].packed, packed, memory_order_release);
}

static void pack(const struct host_send *send, unsigned char *to) {
  const struct elements *e = &send->elements;
  const size_t bytes = e->bytes, piece = host_piece_bytes(bytes);
  for (size_t first = 0; first < bytes;) {
    const size_t length = bytes - first < piece ? bytes - first : piece;
    move_range(e->code.kernel, STOWAGE_PACK, e->user, (size_t)e->count, to + first, first, length);
    tell(send, first += length);
  }
}

/* By both, whole; what the MPI packed counts. */
static void pack_verified(const struct host_send *send, unsigned char *to) {
  elements_copy(&send->elements, to);
  elements_compare_packed(&send->elements, to);
  tell(send, send->elements.bytes);
}

static void pack_offered(struct host_send *send) {
  unsigned char *to = inbox_at(send->inbox, send->offer.chunk);
  const int64_t start_ns = record_start();
  if (mode_verifies()) pack_verified(send, to);
  else pack(send, to);
  if (start_ns != 0) record_packed(send->elements.code.entry, STOWAGE_PACK, start_ns, 1);
  send->is_packed = 1;
  __atomic_fetch_add(&messages_sent, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&bytes_sent, send->offer.bytes, __ATOMIC_RELAXED);
}

void host_send_catch_up(void) {
  if (host_sending != NULL && host_sending->is_offered && !host_sending->is_packed) pack_offered(host_sending);
}

void host_send_pack(struct host_send *send) {
  host_sending = NULL;
  if (!send->is_offered) inbox_release(send->inbox, send->offer.chunk, send->offer.bytes);
  else if (!send->is_packed) pack_offered(send);
}

void host_sends_say(int rank) {
  if (messages_sent > 0)
    say("rank %d: sent %" PRIu64 " messages of %" PRIu64 " bytes past the MPI", rank, messages_sent, bytes_sent);
}
