/* MPI_Neighbor_alltoallw from GPU memory to GPU memory: Open MPI sends each piece as one message of its own datatype,
 * which may be a placeholder (placeholder.h). Whatever came to memory of the host is looked at, too. In Open MPI 4
 * MPI_Neighbor_alltoall and _alltoallv send the same messages, so that a process may call it in their place whatever
 * the others call. */
#ifndef STOWAGE_NEIGHBOURS_H
#define STOWAGE_NEIGHBOURS_H

#include <mpi.h>

/* One side of the call, as the program gave it. */
struct neighbour_pieces {
  const void *user;
  const int *counts;
  const MPI_Aint *places;
  const MPI_Datatype *types;
};

/* Does the call if one of its pieces is ours to send or receive. 0: none is; nothing was done. */
int neighbours_exchange(__typeof__(MPI_Neighbor_alltoallw) *next, const struct neighbour_pieces *sent,
                        const struct neighbour_pieces *received, MPI_Comm communicator, int *status);

/* One side of a call whose pieces have one datatype: places in its extents; NULL: each of as many elements, one behind
 * the other. */
struct neighbour_elements {
  const void *user;
  int count;
  const int *counts, *places;
  MPI_Datatype type;
};

int neighbours_exchange_elements(const struct neighbour_elements *sent, const struct neighbour_elements *received,
                                 MPI_Comm communicator, int *status);

#endif
