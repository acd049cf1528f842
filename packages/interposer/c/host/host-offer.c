#include "host-offer.h"

#include "heap-seen.h"
#include "host-lying.h"
#include "host-peers.h"
#include "host-send.h"
#include "next.h"
#include "predefined.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int host_looks = 0;
void (*host_looks_begin)(void) = NULL;

int host_offer_is(const void *head, struct host_offer *offer) {
  if (memcmp(head, inbox_own->nonce, sizeof inbox_own->nonce) != 0) return 0;
  memcpy(offer, head, sizeof *offer);
  return inbox_has(offer->chunk, offer->bytes);
}

/* Looks between two times that this process's own sends are seen to. */
enum { SPINS = 1 << 10 };

/* Until bytes behind the first `done` are packed: how many are by then; 0: its process ended before. Nothing is waited
 * for but another process's packing, which waits for nobody but this thread, if for a lock of the MPI. */
static size_t await_more(const struct host_offer *offer, size_t done) {
  const atomic_size_t *packed = &inbox_at(inbox_own, offer->chunk)->packed;
  int has_ended = 0;
  for (unsigned spins = 1;; spins++) {
    const size_t now = atomic_load_explicit(packed, memory_order_acquire);
    if (now > done) return now < offer->bytes ? now : offer->bytes;
    if (has_ended) return 0;
    __builtin_ia32_pause();
    if (spins % SPINS == 0) host_send_catch_up();
    has_ended = host_has_ended_after(offer->process, spins);
  }
}

static void lost(const struct host_offer *offer, size_t done) {
  char line[160];
  const int letters =
      snprintf(line, sizeof line, "stowage: a message of process %d: expected %zu bytes, got %zu before it ended\n",
               (int)offer->process, (size_t)offer->bytes, done);
  if (letters > 0 && write(STDERR_FILENO, line, (size_t)letters) < 0) return;
  NEXT(PMPI_Comm_call_errhandler)(PREDEFINED_WORLD, MPI_ERR_OTHER);
}

/* The end of what lies behind the first `done` bytes in one piece of memory, of `packed`; whether it is in the room. */
static size_t end_of(const struct inbox_message *m, size_t done, size_t packed, size_t piece) {
  size_t number = done / piece, end = (number + 1) * piece;
  for (; end < packed && inbox_place(m, number + 1) == inbox_place(m, number) + 1; number++) end += piece;
  return end < packed ? end : packed;
}

/* What is said of a message is another process's word: its pieces, and where one is. */
static int are_pieces(const struct host_offer *offer, size_t piece) {
  return piece >= INBOX_LEAST_PIECE && (offer->bytes - 1) / piece < INBOX_PIECES;
}
static int is_inside(const struct host_offer *offer, size_t at, size_t length) {
  return at <= offer->bytes && length <= offer->bytes - at;
}

/* What is packed. How many bytes: less than it has where its process ends before, or what it says is none. */
static size_t take_packed(const struct host_offer *offer, size_t size, const struct host_taker *taker) {
  struct inbox_message *m = inbox_at(inbox_own, offer->chunk);
  size_t done = 0;
  for (size_t packed = 0, end; done < offer->bytes; done = end) {
    if (done == packed && (packed = await_more(offer, done)) == 0) break;
    const size_t piece = atomic_load_explicit(&m->piece, memory_order_relaxed);
    if (!are_pieces(offer, piece)) break;
    end = end_of(m, done, packed, piece);
    const size_t at = inbox_place(m, done / piece) * piece + done % piece, wanted = end < size ? end : size;
    if (!is_inside(offer, at, end - done)) break;
    if (done < wanted) taker->read(taker->context, done, m->bytes + at, wanted - done);
    if (inbox_reuses(offer->bytes)) atomic_store_explicit(&m->read, end, memory_order_release);
  }
  return done;
}

static void see(const struct host_offer *offer, const struct inbox_message *m) {
  const uint64_t block = atomic_load_explicit(&m->block, memory_order_relaxed);
  if (LIKELY(block == 0)) return;
  const struct heap_told told = {offer->process, block, atomic_load_explicit(&m->word, memory_order_relaxed),
                                 atomic_load_explicit(&m->file, memory_order_relaxed)};
  heap_see(&told);
}

/* The room of what was packed is not free before all of it is; that of what lay elsewhere is its sender's. */
void host_offer_take(const struct host_offer *offer, size_t size, const struct host_taker *taker) {
  static int is_touched;
  if (UNLIKELY(!__atomic_load_n(&is_touched, __ATOMIC_RELAXED))) inbox_touch(inbox_own);
  __atomic_store_n(&is_touched, 1, __ATOMIC_RELAXED);
  struct inbox_message *m = inbox_at(inbox_own, offer->chunk);
  size_t done;
  host_send_catch_up();
  const int lay = host_lying_take(m, offer->bytes, size, taker, &done);
  if (!lay) done = take_packed(offer, size, taker);
  if (done < offer->bytes) return lost(offer, done);
  if (lay) return;
  see(offer, m);
  inbox_release(inbox_own, offer->chunk, offer->bytes);
}
