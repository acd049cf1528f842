/* Which MPI a program has: handles, constants and private structures are that MPI's. Found out before anything of the
 * MPI is called but the one function that all have alike, since libraries of ours may be preloaded into programs of
 * every MPI. */
#ifndef STOWAGE_FAMILY_H
#define STOWAGE_FAMILY_H

enum mpi_family {
  /* None was loaded yet, or one of which nothing is known. */
  FAMILY_UNKNOWN,
  FAMILY_OPEN_MPI,
  /* And those that keep its ABI: Intel MPI, MVAPICH, Cray MPI, ParaStation. */
  FAMILY_MPICH,
  /* The standard's own ABI (MPI 5.0, chapter 20), whichever MPI is below. */
  FAMILY_STANDARD
};

enum mpi_family mpi_family(void);

#endif
