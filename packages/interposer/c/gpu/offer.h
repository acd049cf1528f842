/* What a message between processes of one host begins with in place of its bytes: where in the sender's device memory
 * they are. */
#ifndef STOWAGE_GPU_OFFER_H
#define STOWAGE_GPU_OFFER_H

#include "arena.h"
#include "peers.h"

enum { OFFER_BYTES = 32 };

struct offer {
  unsigned char nonce[NONCE_BYTES];
  uint16_t owner, piece;
  uint32_t turn, at, bytes;
};
_Static_assert(sizeof(struct offer) == OFFER_BYTES, "the head of a message");

struct offer offer_of(const struct arena_piece *piece, size_t bytes);
/* Whether a head is one: it is another process's word, and what leads outside its slots and arena is none. */
int offer_is(const struct offer *head);
/* Its reader is done with it, or it never will be read. */
void offer_is_taken(const struct offer *offer);

#endif
