/* Which way messages of one host go, where that is measured: past the MPI, or through it (way-choice.h). Each process
 * chooses for what it sends, and counts what it receives, so that both sides of messages that go there and back try the
 * same way at once: what a way spares one side may be the other's to do. */
#ifndef STOWAGE_HOST_TRIAL_H
#define STOWAGE_HOST_TRIAL_H

#include "elements.h"
#include "way-choice.h"

/* In MPI_Init, where that is measured. Under --verify all goes past, for what is compared is all that may be. */
void host_trials_begin(void);

/* Types whose contiguous runs are so long in the mean are the MPI's to move: they never go past it. */
void host_trials_leave(size_t run_bytes);

/* Whether elements are such as may go past the MPI: their code is here, and they are so many bytes as pay. Their code
 * and bytes are set. */
int host_may_go_past(struct elements *);
/* The same, of types too that are left to the MPI. */
int host_is_movable(struct elements *);
/* Whether such are left to the MPI. */
int host_is_left(const struct elements *);

/* Whether such a message goes past the MPI now; of one that is received whether it is to go so. `tried` gets where it
 * is tried, or NULL. */
int host_trial_is_past(const struct elements *, struct way_choice **tried);

#endif
