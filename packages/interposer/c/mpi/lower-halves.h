/* Which lower halves a library has: what packs inside the MPI. That of the standard's ABI has both, for which MPI is
 * below is known at run time alone. */
#ifndef STOWAGE_LOWER_HALVES_H
#define STOWAGE_LOWER_HALVES_H

#include <mpi.h>

/* MPICH's mpi.h and Open MPI's say which ABI of the standard they know of as well. */
#if defined(OPEN_MPI)
#define HAS_CONVERTORS 1
#elif defined(MPICH_VERSION) || defined(MPICH_NAME)
#define HAS_GENERIC 1
#else
#define IS_STANDARD_ABI 1
#define HAS_CONVERTORS 1
#define HAS_GENERIC 1
#endif

#endif
