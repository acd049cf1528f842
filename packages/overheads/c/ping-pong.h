// Half round trips between ranks 0 and 1; the others wait outside of MPI.
#include "measure.h"

typedef void (*Trip)(void *out, void *in, int count, MPI_Datatype type, int peer);

static void blocking(void *out, void *in, int count, MPI_Datatype type, int peer) {
  if (rank == 0) MPI_Send(out, count, type, peer, T0, MPI_COMM_WORLD);
  MPI_Recv(in, count, type, peer, T0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(out, count, type, peer, T0, MPI_COMM_WORLD);
}

// One sample: the mean half round trip of so many.
static double half_trip(Trip trip, void *out, void *in, int count, MPI_Datatype type, int turns) {
  double start = now_ns();
  for (int i = 0; i < turns; i++) trip(out, in, count, type, 1 - rank);
  return (now_ns() - start) / turns / 2;
}
