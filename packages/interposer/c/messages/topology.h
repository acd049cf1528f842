/* Whom a process receives from and sends to in a communicator's topology, in the order of neighbour collectives
 * (MPI 3.1, 7.6). */
#ifndef STOWAGE_TOPOLOGY_H
#define STOWAGE_TOPOLOGY_H

#include <mpi.h>
#include <stddef.h>

struct topology {
  size_t in, out;
  /* Ranks, or MPI_PROC_NULL. */
  int *sources, *targets;
};

/* How many they are. 0: the communicator has no topology, or nobody is a neighbour. */
int neighbours_of(MPI_Comm communicator, size_t *in, size_t *out);
/* And who. 0: as above, or there is no memory; nothing is to be freed. */
int topology_of(MPI_Comm communicator, struct topology *topology);
void topology_free(struct topology *topology);

#endif
