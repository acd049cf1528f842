#include "ipc.h"

#include "imported.h"
#include "next.h"
#include "pending.h"
#include "predefined.h"

#include <time.h>

int head_came(struct ipc_head *h, size_t first, const void *packed, size_t length) {
  const size_t some = of_head(first, length);
  if (some > 0) memcpy((unsigned char *)&h->head + first, packed, some);
  h->came += some;
  return h->came < OFFER_BYTES || !offer_is(&h->head);
}

int head_offers(struct ipc_head *h, size_t bytes) {
  if (h->came < OFFER_BYTES || !offer_is(&h->head) || h->head.bytes != bytes) return 0;
  h->offered = h->head;
  return h->is_offered = 1;
}

void head_taken(struct ipc_head *h) {
  if (h->is_offered) offer_is_taken(&h->offered);
  else if (h->came >= OFFER_BYTES && offer_is(&h->head)) offer_is_taken(&h->head);
  *h = (struct ipc_head){0};
}

/* What this process sends to itself is packed before it is read, in the order of a stream. */
static int is_packed(const struct offer *offer) {
  const int is_own = offer->owner == peer_self;
  if (is_own) pending_flush();
  return is_own ? !arena_did_fail(offer->piece, offer->turn) : arena_awaits(offer->owner, offer->piece, offer->turn);
}

gpu_address ipc_reach(const struct offer *offer, const struct gpu_place *place, int *result) {
  gpu_address base = 0;
  *result = is_packed(offer) ? 0 : DRIVER_FAILED;
  if (*result != 0) return 0;
  struct gpu_context *context = context_enter(place, result);
  *result = 0;
  if (context == NULL) return 0;
  const int is_open = imported_in(context, place, offer->owner, &base);
  context_leave();
  return is_open ? base + offer->at : 0;
}

int ipc_read(const struct offer *offer, void *to) {
  return is_packed(offer) ? imported_read(offer->owner, offer->at, to, offer->bytes) : DRIVER_FAILED;
}

void ipc_answer(const struct gpu_place *place) {
  if (peers_are_there()) imported_answer(place);
}

void ipc_finish(void) {
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
