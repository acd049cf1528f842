/* Which of two ways a message goes, where that is measured: those of a size class, a shape and a kind of peer are one
 * choice, sent or received, for what one side does is the other's time: a sender that packs before the MPI's call is
 * sooner done, and its receiver later. Datatypes that begin elsewhere have one shape, as the two sides of a halo have;
 * of how fast the MPI itself moves them shapes tell, run lengths alone do not. Some messages are tried: in turns of one
 * way and the other, whose order is drawn by the classes of sizes and of run lengths, which both sides know even where
 * their shapes differ, so that both sides of messages that are tried at once go the same way. A turn is a few messages,
 * as there and back, or all of those that the program has under way at once, and its time the mean of theirs in the
 * program's calls. The lower median of the turns wins, until the next trial. */
#ifndef STOWAGE_WAY_CHOICE_H
#define STOWAGE_WAY_CHOICE_H

#include "type-shape.h"
#include "ways.h"

#include <stddef.h>
#include <stdint.h>

struct way_choice;

/* A message as far as it is a choice of its own. */
struct way_kind {
  /* Packed bytes. */
  size_t bytes;
  struct type_shape shape;
  /* Which kind of peers, 0 to 7: what is between them makes their ways' times. */
  int peers;
  /* Whether it goes on when it is over: it is made one way for good, and never tried. */
  int is_persistent;
};

/* Which way messages of a kind go before their own times are known. */
typedef enum way way_predicted(const struct way_kind *kind);

/* In MPI_Init: times choose between ways of such names, of which that comes first that is predicted to be faster; NULL:
 * the first one. Without, all goes the second way. */
void way_choice_begin(const char *const names[WAYS], way_predicted *predicted);

/* Which way a message goes that begins now. `tried` gets where it is tried, or NULL. */
enum way way_chosen(const struct way_kind *kind, struct way_choice **tried);

/* A message that is tried has begun, or is over: after so many nanoseconds in the program's calls, none where its end
 * tells nothing. NULL is nothing. */
void way_trial_begins(struct way_choice *tried);
void way_trial_ends(struct way_choice *tried, int64_t spent_ns);

#endif
