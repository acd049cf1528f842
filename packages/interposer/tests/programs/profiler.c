/* A profiler by MPI's own means: counts some calls, and passes them on to their second names. Prints at the end. */
#include <mpi.h>
#include <stdio.h>

static int commits, packs, sends;

int MPI_Type_commit(MPI_Datatype *type) {
  commits++;
  return PMPI_Type_commit(type);
}

int MPI_Pack(const void *user, int count, MPI_Datatype type, void *packed, int room, int *position,
             MPI_Comm communicator) {
  packs++;
  return PMPI_Pack(user, count, type, packed, room, position, communicator);
}

int MPI_Sendrecv(const void *out, int sent, MPI_Datatype type, int to, int tag, void *in, int most, MPI_Datatype other,
                 int from, int its, MPI_Comm communicator, MPI_Status *status) {
  sends++;
  return PMPI_Sendrecv(out, sent, type, to, tag, in, most, other, from, its, communicator, status);
}

#if MPI_VERSION >= 4
static int large;

int MPI_Pack_c(const void *user, MPI_Count count, MPI_Datatype type, void *packed, MPI_Count room, MPI_Count *position,
               MPI_Comm communicator) {
  large++;
  return PMPI_Pack_c(user, count, type, packed, room, position, communicator);
}

int MPI_Sendrecv_c(const void *out, MPI_Count sent, MPI_Datatype type, int to, int tag, void *in, MPI_Count most,
                   MPI_Datatype other, int from, int its, MPI_Comm communicator, MPI_Status *status) {
  large++;
  return PMPI_Sendrecv_c(out, sent, type, to, tag, in, most, other, from, its, communicator, status);
}
#endif

int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("profiled %d commits, %d packs, %d exchanges\n", commits, packs, sends);
#if MPI_VERSION >= 4
  if (rank == 0) printf("profiled %d large\n", large);
#endif
  return PMPI_Finalize();
}
