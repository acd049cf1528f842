/* Which messages go past the MPI, and in which pieces. */
#ifndef STOWAGE_HOST_CHOICE_H
#define STOWAGE_HOST_CHOICE_H

#include <stddef.h>

/* From so many packed bytes on they may: STOWAGE_HOST_ROUTE, of at least HOST_OFFER_LEAST; 0: none does. */
size_t host_least_bytes(void);
/* Whether those do that are faster so (host-trial.h): STOWAGE_HOST_ROUTE=measured; else all do. Behind
 * host_least_bytes. */
int host_is_measured(void);

/* How long the pieces of a message are, of which `side_by_side` bytes had best be packed at once (type-shape.h): both
 * sides are at work while the pieces are several. At least INBOX_LEAST_PIECE, and no more of them than INBOX_PIECES. */
size_t host_piece_bytes(size_t message_bytes, size_t side_by_side);

#endif
