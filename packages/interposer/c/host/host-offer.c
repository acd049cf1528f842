#include "host-offer.h"

#include "host-peers.h"
#include "next.h"
#include "predefined.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int host_offer_is(const void *head, struct host_offer *offer) {
  if (memcmp(head, inbox_own->nonce, sizeof inbox_own->nonce) != 0) return 0;
  memcpy(offer, head, sizeof *offer);
  return offer->chunk >= 0 && offer->chunk < INBOX_CHUNKS && offer->bytes > 0 &&
         offer->bytes <= (size_t)(INBOX_CHUNKS - offer->chunk) * INBOX_CHUNK_BYTES;
}

/* Looks between two times that others may have the processor, and such times between two looks at the sender. */
enum { SPINS = 1 << 10, YIELDS = 1 << 8 };

static int is_abandoned(const struct host_offer *offer, unsigned spins) {
  if (spins % SPINS != 0) return 0;
  sched_yield();
  return spins / SPINS % YIELDS == 0 && host_has_ended(offer->process);
}

/* Nothing is waited for but another process's packing, which waits for nobody. */
size_t host_offer_await(const struct host_offer *offer, size_t done) {
  const atomic_size_t *packed = &inbox_own->messages[offer->chunk].packed;
  int has_ended = 0;
  for (unsigned spins = 1;; spins++) {
    const size_t now = atomic_load_explicit(packed, memory_order_acquire);
    if (now > done) return now < offer->bytes ? now : offer->bytes;
    if (has_ended) return 0;
    __builtin_ia32_pause();
    has_ended = is_abandoned(offer, spins);
  }
}

void host_offer_taken(const struct host_offer *offer) { inbox_release(inbox_own, offer->chunk, offer->bytes); }

void host_offer_lost(const struct host_offer *offer, size_t done) {
  char line[160];
  const int letters =
      snprintf(line, sizeof line, "stowage: a message of process %d: expected %zu bytes, got %zu before it ended\n",
               (int)offer->process, (size_t)offer->bytes, done);
  if (letters > 0 && write(STDERR_FILENO, line, (size_t)letters) < 0) return;
  NEXT(PMPI_Comm_call_errhandler)(PREDEFINED_WORLD, MPI_ERR_OTHER);
}
