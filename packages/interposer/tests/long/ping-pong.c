/* Rank 0 sends columns of a matrix to rank 1, which checks them: `ping-pong ROUNDS STATUS`. Ends with STATUS where all
 * are right. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 64, COLUMNS = 512 };

static int round_is_right(int rank, int round, double *matrix, MPI_Datatype column) {
  for (int i = 0; i < ROWS; i++) matrix[COLUMNS * i] = rank == 0 ? round + i : -1;
  if (rank == 0) MPI_Send(matrix, 1, column, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(matrix, 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < ROWS; i++)
    if (rank < 2 && matrix[COLUMNS * i] != round + i) return 0;
  return 1;
}

int main(int argc, char **argv) {
  int rank, right = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *matrix = calloc(ROWS * COLUMNS, sizeof *matrix);
  MPI_Datatype column;
  MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (int round = 0; round < atoi(argv[1]); round++) {
    right &= round_is_right(rank, round, matrix, column);
    usleep(1000); /* the code arrives meanwhile */
  }
  MPI_Type_free(&column);
  printf("rank %d %s\n", rank, right ? "right" : "wrong");
  free(matrix);
  MPI_Finalize();
  return right ? atoi(argv[2]) : 99;
}
