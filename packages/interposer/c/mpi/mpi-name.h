/* What an MPI is called. */
#ifndef STOWAGE_MPI_NAME_H
#define STOWAGE_MPI_NAME_H

/* Name and release, such as openmpi-4.1.4 or mpich-5.0.2-abi: of the MPI that the library was built for; of the one
 * that runs, where it was built for the standard's ABI. */
const char *mpi_name(void);

#endif
