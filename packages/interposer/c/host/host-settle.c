#include <mpi.h>

#include "host-settle.h"

#include "host-peers.h"
#include "say.h"

#include <inttypes.h>

static uint64_t messages_read;

/* Looks between two times that the MPI makes progress, which the receiver may need to come to the message. */
enum { SPINS = 64, BYTES_PER_NS = 4 };

static uint32_t state_of(const struct host_send *send) {
  return atomic_load_explicit(&host_send_message(send)->state, memory_order_acquire);
}

/* Until somebody has begun to read them, or that time has come. */
static void await_reader(const struct host_send *send, int64_t until_ns) {
  for (unsigned spins = 1; state_of(send) == INBOX_LYING; spins++) {
    __builtin_ia32_pause();
    if (spins % SPINS != 0) continue;
    if (now_ns() >= until_ns) return;
    host_send_progress();
  }
}

/* Whoever reads them does so without a pause, or has ended. */
static void await_end_of_reading(const struct host_send *send) {
  const pid_t reader = host_peer_process(send->peer);
  for (unsigned spins = 1; state_of(send) == INBOX_READING && !host_has_ended_after(reader, spins); spins++)
    __builtin_ia32_pause();
}

void host_send_withdraw(struct host_send *send) {
  uint32_t state = INBOX_LYING;
  if (!send->is_lying) return;
  send->is_lying = 0;
  if (atomic_compare_exchange_strong(&host_send_message(send)->state, &state, INBOX_PACKED)) {
    while (host_send_pack_piece(send)) continue;
    return;
  }
  await_end_of_reading(send);
  __atomic_fetch_add(&messages_read, 1, __ATOMIC_RELAXED);
  inbox_release(send->inbox, send->offer.chunk, send->offer.bytes);
}

void host_send_settle(struct host_send *send) {
  if (send->is_lying) await_reader(send, now_ns() + (int64_t)(send->offer.bytes / BYTES_PER_NS));
  host_send_withdraw(send);
}

void host_settled_say(int rank) {
  if (messages_read > 0) say("rank %d: %" PRIu64 " of these were read where they lay", rank, messages_read);
}
