/* The MPI's handle for the type of probe.h. */
#ifndef STOWAGE_PROBE_TYPE_H
#define STOWAGE_PROBE_TYPE_H

#include <mpi.h>

/* Makes and commits it behind our hooks. 0: the MPI would not. */
int probe_commit(MPI_Datatype *type);

#endif
