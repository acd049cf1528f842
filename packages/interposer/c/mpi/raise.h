/* Errors that a call of ours ends with. */
#ifndef STOWAGE_RAISE_H
#define STOWAGE_RAISE_H

#include <mpi.h>

/* Raises an error of a class on a communicator, as the MPI would. */
int mpi_raise(MPI_Comm communicator, int class);

#endif
