/* Messages of blocks of one length, from rank 0 to rank 1: long-runs BYTES. Prints how many bytes arrived wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 6, GAP = 64, MESSAGES = 4 };

static unsigned char value_at(size_t at, size_t stride, size_t block) {
  return at % stride < block ? (unsigned char)(at * 7 + at / 251 + 1) : 0;
}

int main(int argc, char **argv) {
  int rank;
  size_t wrong = 0;
  MPI_Datatype type;
  const size_t block = argc == 2 ? (size_t)atoi(argv[1]) : 1, stride = block + GAP, room = BLOCKS * stride;
  unsigned char *bytes = malloc(room);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(BLOCKS, (int)block, (int)stride, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  for (int message = 0; message < MESSAGES; message++) {
    memset(bytes, 0, room);
    for (size_t i = 0; rank == 0 && i < room; i++) bytes[i] = value_at(i, stride, block);
    if (rank == 0) MPI_Send(bytes, 1, type, 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(bytes, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (size_t i = 0; i < room; i++) wrong += bytes[i] != value_at(i, stride, block);
  }
  MPI_Type_free(&type);
  MPI_Finalize();
  free(bytes);
  if (rank == 1) printf("%zu wrong\n", wrong);
  return 0;
}
