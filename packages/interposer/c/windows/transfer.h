/* Puts and gets whose elements at the origin are packed by our code. What lies side by side at the target, or in a get
 * all from its first element to its last (span.h), is what the MPI sees on both sides: it moves it as one run, where it
 * would have moved one for each block.
 *
 * A transfer holds what the MPI moves until a call completes it at the origin (MPI 4.1, section 12.5): one that
 * synchronises with its target, or the completion of its request; a get is unpacked there. */
#ifndef STOWAGE_TRANSFER_H
#define STOWAGE_TRANSFER_H

#include "elements.h"

#include <limits.h>

struct transfer;

/* The two sides of a call: what is put, or got, and where. */
struct transfer_call {
  enum stowage_direction direction; /* STOWAGE_PACK: a put */
  const void *user;
  MPI_Count count;
  MPI_Datatype type;
  int target;
  MPI_Aint displacement;
  MPI_Count target_count;
  MPI_Datatype target_type;
  MPI_Win window;
};

/* Between elements of one type Open MPI packs nothing, and copies run by run: that is as fast for runs of so many bytes
 * in the mean (docs/notes/2026-11-28-one-sided.md, "Straight into windows of one host"). */
enum { LONG_RUN_OF_ONE_TYPE = 64 };

/* Packs what is put. NULL: the call is native. */
struct transfer *transfer_begin(const struct transfer_call *);
/* What the MPI is to be given as the elements of both sides. */
struct transfer_given {
  void *memory;
  MPI_Count count;
  MPI_Datatype type;
};
const struct transfer_given *transfer_given(const struct transfer *);
/* The elements at the origin. */
const struct elements *transfer_elements(const struct transfer *);

/* The MPI has begun it: it waits for a call that synchronises, beside its request, if it has one. */
void transfer_keep(struct transfer *);
/* Its request is over: what was got is unpacked, unless a call that synchronises did so. */
void transfer_requested_over(struct transfer *);
/* Gives back what it holds, when nobody keeps it any more. */
void transfer_drop(struct transfer *);

/* No rank, nor MPI_PROC_NULL of any MPI. */
enum { EVERY_TARGET = INT_MIN };
/* Before a call that completes transfers to a target, or to all: takes those that were begun before it. */
struct transfer *transfers_take(MPI_Win window, int target);
/* Behind it: they are complete; after an error of the call they are kept as before. Returns the status. */
int transfers_over(struct transfer *, int status);

#endif
