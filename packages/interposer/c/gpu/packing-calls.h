/* MPI_Pack and MPI_Unpack, and what is done of them on a device. */
#ifndef STOWAGE_GPU_PACKING_CALLS_H
#define STOWAGE_GPU_PACKING_CALLS_H

#include "stowage.h"

#include <mpi.h>

/* A call of either: `user` is the side that is not packed. */
struct packing_call {
  enum stowage_direction direction;
  void *user;
  MPI_Count count;
  MPI_Datatype type;
  unsigned char *packed;
  /* Bytes of the packed side, and where in it the call begins; a negative position: the call gave none. */
  MPI_Count room, position;
  MPI_Comm communicator;
};

/* Whether so many bytes lie in the packed side, behind the position. */
int packing_has_room(const struct packing_call *call, size_t bytes);

/* By the MPI, all elements, between the call's buffer and the first `bytes` bytes of other memory. Its status. */
int packing_natively(const struct packing_call *call, void *packed, size_t bytes);

/* Where a side lies on a device. 0: none does, or the MPI would refuse the call. Else the call's status, and its
 * position is that behind what was packed. */
int packing_on_device(struct packing_call *call, int *status);

#endif
