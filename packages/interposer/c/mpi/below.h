/* Which MPI packs below: of a library for one MPI that one, of the standard's ABI found out. */
#ifndef STOWAGE_BELOW_H
#define STOWAGE_BELOW_H

#include "family.h"
#include "lower-halves.h"

#if defined(IS_STANDARD_ABI)
/* By what the MPI says of itself, which it does before MPI_Init too. MPICH stands for whichever is not Open MPI. */
enum mpi_family mpi_below(void);
#elif defined(HAS_CONVERTORS)
static inline enum mpi_family mpi_below(void) { return FAMILY_OPEN_MPI; }
#else
static inline enum mpi_family mpi_below(void) { return FAMILY_MPICH; }
#endif

#endif
