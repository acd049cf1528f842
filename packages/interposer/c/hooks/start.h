/* Our beginning, when an MPI_Init or a session has succeeded, and our end, when the last of them is about to be
 * finalised. */
#ifndef STOWAGE_START_H
#define STOWAGE_START_H

/* What the MPI has to know before it begins. */
void before_start(void);

/* Each start has its stop. */
void start(void);
void stop(int rank);

/* Whether the next stop is the end. */
int is_last(void);

#endif
