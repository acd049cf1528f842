#include "offer.h"

#include <string.h>

struct offer offer_of(const struct arena_piece *piece, size_t bytes) {
  struct offer offer = {.owner = (uint16_t)peer_self,
                        .piece = (uint16_t)piece->index,
                        .turn = piece->turn,
                        .at = (uint32_t)piece->at,
                        .bytes = (uint32_t)bytes};
  memcpy(offer.nonce, peer_nonce(), NONCE_BYTES);
  return offer;
}

int offer_is(const struct offer *head) {
  return peer_is_known(head->owner) && memcmp(head->nonce, peer_nonce(), NONCE_BYTES) == 0 &&
         head->piece < ARENA_PIECES && head->bytes <= ARENA_BYTES && head->at <= ARENA_BYTES - head->bytes;
}

/* Old bytes may say what is long over. */
void offer_is_taken(const struct offer *offer) {
  turn_comes(&peer_slot(offer->owner)->taken[offer->piece], offer->turn);
}
