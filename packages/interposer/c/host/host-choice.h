/* Which messages go past the MPI, and in which pieces. */
#ifndef STOWAGE_HOST_CHOICE_H
#define STOWAGE_HOST_CHOICE_H

#include <stddef.h>

/* From so many packed bytes on they may: STOWAGE_HOST_ROUTE, of at least HOST_OFFER_LEAST; 0: none does. */
size_t host_least_bytes(void);
/* Whether those do that are faster so (host-trial.h): STOWAGE_HOST_ROUTE=measured; else all do. Behind
 * host_least_bytes. */
int host_is_measured(void);

/* How long the pieces of a message are, which both sides work out: both are at work while the pieces are several, and a
 * piece that is longer cuts fewer columns. At least INBOX_LEAST_PIECE. */
size_t host_piece_bytes(size_t message_bytes);

#endif
