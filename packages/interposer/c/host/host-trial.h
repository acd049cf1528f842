/* Whether messages go past the MPI, where that is measured: their receiver tries both ways, and tells senders by its
 * inbox. Messages of one kind are one choice, whoever sends them. What is measured is the time of a receive in which
 * nothing but it goes on: from its first bytes to its last, less what other messages took meanwhile, and what its
 * sender does for the way. */
#ifndef STOWAGE_HOST_TRIAL_H
#define STOWAGE_HOST_TRIAL_H

#include "inbox.h"
#include "ways.h"

/* The first way goes through the MPI, the second past it. */

/* A sender's: whether a message of a kind goes past the MPI now. */
int host_trial_sends_past(struct inbox *inbox, uint64_t kind);

/* A receiver's: a message of a kind has come. Its place among trials; -1: it is not tried. */
int host_trial_comes(uint64_t kind);
/* Some of it is moved, the first or more, between `start_ns` and now; `spent_ns` is what it has taken so far. */
void host_trial_moved(int64_t *spent_ns, int64_t start_ns, int is_first);
/* All of it is. */
void host_trial_ends(int place, enum way, int64_t spent_ns);

#endif
