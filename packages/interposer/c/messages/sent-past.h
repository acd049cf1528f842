/* Sends of the host that may go past the MPI, where their request's end is ours to see: their time is taken where they
 * are tried (timed.h), and elements that lie where the receiver reads them (host-lying.h) are waited for. */
#ifndef STOWAGE_SENT_PAST_H
#define STOWAGE_SENT_PAST_H

#include "host-send.h"
#include "operation.h"

/* Before the call that sends: what goes on when that has returned. NULL: nothing does. */
struct operation *sent_past_make(const struct host_send *send);
/* The call has returned. */
void sent_past_begun(struct operation *operation, const struct host_send *send);
/* Whether a message is such a send, whose request the program frees: its end is not seen any more, and tells nothing.
 * Elements that lie are packed. */
int sent_past_forgets(struct message *message);

#endif
