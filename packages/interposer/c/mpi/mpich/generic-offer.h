/* Offers inside UCX's datatypes (host/host-offer.h). A send that may go past the MPI has a state that gives its offer
 * for the message's first bytes, and writes no others. */
#ifndef STOWAGE_GENERIC_OFFER_H
#define STOWAGE_GENERIC_OFFER_H

#include "generic-type.h"

struct sent_offer;

/* Where the message that this thread is beginning (host/host-send.h) is of these elements: it is offered. NULL: it is
 * not, and goes as before. */
struct sent_offer *offer_begin(const struct generic_type *type, const void *user, size_t count);
/* UCX asks for bytes of the message. */
void offer_pack(struct sent_offer *offer, size_t offset, unsigned char *packed, size_t length);
/* UCX is done with it. What it never asked for nobody will look for: of a message that is longer than its receive it
 * sends nothing, where both sides agree on that first. */
void offer_end(struct sent_offer *offer);

#endif
