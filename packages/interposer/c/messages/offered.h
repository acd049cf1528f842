/* Receives into memory where elements lie side by side, of which an MPI that packs by datatypes asks nobody: what came
 * is looked at when the program's call completes it, and a message that went past the MPI (host-offer.h) is copied out
 * of this process's memory then. */
#ifndef STOWAGE_OFFERED_H
#define STOWAGE_OFFERED_H

#include "host-offer.h"
#include "message.h"

/* Whether what a call receives may be an offer that is found in its buffer alone. */
int offered_is_received(const struct call *call, struct message *message);

static inline int offered_maybe(void) { return UNLIKELY(host_looks); }

/* So many bytes have been received, side by side: fetches the message, if they are an offer. */
void offered_look(unsigned char *bytes, size_t count);

#endif
