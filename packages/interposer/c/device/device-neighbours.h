/* MPI_Neighbor_alltoallw past the host: Open MPI sends each piece as one message of its own datatype, which may be an envelope
 * (device-envelope.h). Whatever came to memory of the host is looked at, too. */
#ifndef STOWAGE_DEVICE_NEIGHBOURS_H
#define STOWAGE_DEVICE_NEIGHBOURS_H

#include <mpi.h>

/* One side of the call, as the program gave it. */
struct neighbour_pieces {
  const void *user;
  const int *counts;
  const MPI_Aint *places;
  const MPI_Datatype *types;
};

/* Does the call if one of its pieces is ours to send or receive. 0: none is; nothing was done. */
int neighbours_exchange(__typeof__(MPI_Neighbor_alltoallw) *next, const struct neighbour_pieces *sent, const struct neighbour_pieces *received,
                        MPI_Comm communicator, int *status);

#endif
