/* MPI_Pack and MPI_Unpack, and what is done of them on a device. */
#ifndef STOWAGE_GPU_PACKING_CALLS_H
#define STOWAGE_GPU_PACKING_CALLS_H

#include "elements.h"
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

/* The call's elements, for the host. */
struct elements packing_elements(const struct packing_call *call);

/* Where a side lies on a device. 0: none does, or the MPI would refuse the call. Else the call's status, and its
 * position is that behind what was packed. */
int packing_on_device(struct packing_call *call, int *status);

#endif
