/* Whether an MPI may be given data in a GPU's memory: it takes that itself, and code of a processor must not touch it.
 */
#ifndef STOWAGE_TAKES_GPUS_H
#define STOWAGE_TAKES_GPUS_H

/* By what the MPI says of each kind of GPU that it knows, and of Cray's by the variable that its users switch it on
 * with (intro_mpi(3)). Asked of it once. */
int mpi_takes_gpus(void);

#endif
