/* The description of an MPI handle's datatype, by the MPI's own functions alone: no call of ours is seen by a profiler,
 * or comes back to our hooks. */
#ifndef STOWAGE_DESCRIPTION_H
#define STOWAGE_DESCRIPTION_H

#include "stowage.h"

#include <mpi.h>

/* NULL: the type is one that no description takes, or there is no memory. Else the caller's to free. */
stowage_describer *description_of(MPI_Datatype type);

#endif
