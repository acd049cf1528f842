/* Whether messages are staged, where that is measured: those of a size class, a shape and a kind of peer are one
 * choice, sent or received, for what one side does is the other's time: a sender that stages is sooner done, and its
 * receiver later. Datatypes that begin elsewhere have one shape, as the two sides of a halo have; of how fast the MPI
 * itself moves them shapes tell, run lengths alone do not. Some messages are tried: in turns of one way and the other,
 * whose order is drawn by the classes of sizes and of run lengths, which both sides know even where their shapes
 * differ, so that both sides of messages that are tried at once go the same way. A turn is a few messages, as there and
 * back, or all of those that the program has under way at once, and its time the mean of theirs in the program's calls.
 * The lower median of the turns wins, until the next trial. */
#ifndef STOWAGE_STAGED_CHOICE_H
#define STOWAGE_STAGED_CHOICE_H

#include "staged-shape.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

struct staged_choice;

/* In MPI_Init: whether anything is measured; else all is staged. */
void staged_choice_begin(int is_measured);

/* A message as far as it is a choice of its own. */
struct staged_kind {
  /* Packed bytes. */
  size_t bytes;
  struct staged_shape shape;
  MPI_Comm communicator;
  int peer;
  /* Whether it goes on when it is over: it is made one way for good, and never tried. */
  int is_persistent;
  /* A side of a call of all processes, which has no peer. */
  int is_collective;
};

/* Whether a message that begins now is staged. `tried` gets where it is tried, or NULL. */
int staged_is_chosen(const struct staged_kind *kind, struct staged_choice **tried);

/* A message that is tried has begun, or is over: after so many nanoseconds in the program's calls, none where its end
 * tells nothing. NULL is nothing. */
void staged_trial_begins(struct staged_choice *tried);
void staged_trial_ends(struct staged_choice *tried, int64_t spent_ns);

#endif
