/* Puts and gets between this process's memory and a target's that lies in it as well (windows of one host): by our code
 * alone, from the one to the other. The MPI is given the call without elements, so that ranks, epochs and locks, and
 * their errors, are its own, and moves nothing.
 *
 * Only where the MPI by itself moves the elements in the call, too: what makes its own loads and stores seen by others,
 * and by the program, are then the same calls that make ours. That is found out by transfers of its own. */
#ifndef STOWAGE_DIRECT_H
#define STOWAGE_DIRECT_H

#include "elements.h"
#include "transfer.h"

/* From one side to the other. A side without gaps has no code. */
struct direct {
  struct elements from, to;
  enum stowage_direction direction; /* STOWAGE_PACK: a put */
  /* A transfer of the MPI's own, which tells when it moves: both sides as they were are in `memory`. */
  int is_trial;
  /* What it holds until it is over; NULL: nothing. */
  unsigned char *memory;
  size_t memory_bytes;
};

/* Whether a call is for this file. Unless it is a trial, the MPI is to be given it without elements. */
int direct_begin(struct direct *, const struct transfer_call *);
/* The MPI's call returned with a status. Returns the status. */
int direct_over(const struct direct *, int status);

#endif
