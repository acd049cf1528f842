/* MPI_Pack and MPI_Unpack of which a side lies on a device. */
#ifndef STOWAGE_GPU_PACKING_CALLS_H
#define STOWAGE_GPU_PACKING_CALLS_H

#include "watch.h"
#include "stowage.h"

#include <mpi.h>

/* A call of either: `user` is the side that is not packed. */
struct gpu_pack_call {
  enum stowage_direction direction;
  void *user;
  int count;
  MPI_Datatype type;
  void *packed;
  int room, *position;
  MPI_Comm communicator;
};

/* 0: no side is a device's, or the MPI would refuse the call. Else the call's status. */
int gpu_packs(const struct gpu_pack_call *call, int *status);

#endif
