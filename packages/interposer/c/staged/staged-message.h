/* Messages of the host that are given to the MPI as packed bytes in memory of ours (mode staged): a sender packs before
 * the call, a receiver unpacks when the message is complete. Each side does so by itself, since the same bytes travel:
 * a sender only where a native receive of the same elements takes them (staged-elements.h). */
#ifndef STOWAGE_STAGED_MESSAGE_H
#define STOWAGE_STAGED_MESSAGE_H

#include "message.h"
#include "mode.h"

/* Whether a call's message is ours. Nothing is done yet, but the message's call is set. Those that stay native though
 * their elements lie apart are counted. */
int staged_is_sent(const struct call *call, struct message *message);
int staged_is_received(const struct call *call, struct message *message);

/* Counts such a message, of a datatype's entry. */
void staged_stays_native(struct stowage_code *entry, enum stowage_direction direction, size_t bytes);

static inline int staged_maybe(void) { return UNLIKELY(mode_is(MODE_STAGED)); }

#endif
