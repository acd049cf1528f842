/* Ranks of communicators as ranks of MPI_COMM_WORLD. */
#ifndef STOWAGE_JOB_RANKS_H
#define STOWAGE_JOB_RANKS_H

#include <mpi.h>

/* That of a rank of a communicator, or of its other group; negative: there is none. What was found out is kept with the
 * communicator. */
int job_rank_of(MPI_Comm communicator, int rank);

/* Before MPI_Finalize: of communicators that are left nothing more is kept. */
void job_ranks_end(void);

#endif
