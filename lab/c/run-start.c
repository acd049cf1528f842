/* Two ranks that start MPI and end it: run-start [datatype], with 100 messages of a column besides. Ends with 1 where
 * one arrives wrong. */
#include <mpi.h>

enum { ROWS = 64, MESSAGES = 100 };

int main(int argc, char **argv) {
  static double field[ROWS * ROWS];
  int rank, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) {
    MPI_Datatype column;
    MPI_Type_vector(ROWS, 1, ROWS, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < ROWS && rank == 0; i++) field[i * ROWS] = i + 1;
    for (int i = 0; i < MESSAGES; i++)
      if (rank == 0) MPI_Send(field, 1, column, 1, 0, MPI_COMM_WORLD);
      else MPI_Recv(field, 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < ROWS; i++) wrong |= field[i * ROWS] != i + 1;
    MPI_Type_free(&column);
  }
  MPI_Finalize();
  return wrong;
}
