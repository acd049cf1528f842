/* Receives of the host that the MPI is given as they are, and whose time in the program's calls is taken: by it is
 * chosen whether such messages go past the MPI (host-trial.h). Of sends: sent-past.h. */
#ifndef STOWAGE_TIMED_H
#define STOWAGE_TIMED_H

#include "host-choice.h"
#include "host-offer.h"
#include "message.h"

/* Whether a call's receive is tried: then its trial has begun. */
int timed_is_received(const struct call *call, struct message *message);
/* It is over, by a status, which is returned. */
int timed_received(struct message *message, int status);

/* Whether a message is one that is timed alone: its end is not seen any more, and tells nothing. */
int timed_forgets(struct message *message);

static inline int timed_maybe(void) { return UNLIKELY(host_is_measured()); }

#endif
