// The last rank leaves with 1 before MPI_Finalize, while the others wait for it.
#include <mpi.h>
#include <stdlib.h>

int main(int count, char **arguments) {
  int rank, size;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1) exit(1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
