/* MPI-4 sessions without MPI_Init: one inside another, for MPICH 4.0.2 itself fails at one after another. Exchanges
 * columns of a matrix, and prints a sum for each; any number of ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 64, ROUNDS = 200 };

#if MPI_VERSION >= 4
static double exchange(MPI_Comm world, int rank, int ranks) {
  double *matrix = malloc(sizeof(double) * N * N), sum = 0;
  MPI_Datatype column;
  MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < N * N; i++) matrix[i] = i + 1000.0 * rank + round;
    MPI_Sendrecv(matrix + 3, 1, column, (rank + 1) % ranks, 1, matrix + 5, 1, column, (rank + ranks - 1) % ranks, 1,
                 world, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++) sum += matrix[N * i + 5] * (i + 1);
    usleep(500); /* the code arrives meanwhile */
  }
  MPI_Type_free(&column);
  free(matrix);
  return sum;
}

static void session(int depth) {
  MPI_Session own;
  MPI_Group group;
  MPI_Comm world;
  int rank, ranks;
  double sum, total = 0;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &own);
  if (depth > 1) session(depth - 1);
  MPI_Group_from_session_pset(own, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "exchange", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &world);
  MPI_Group_free(&group);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  sum = exchange(world, rank, ranks);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, world);
  if (rank == 0) printf("%.17g\n", total);
  MPI_Comm_free(&world);
  MPI_Session_finalize(&own);
}

int main(void) {
  session(2);
  return 0;
}
#else
int main(void) { return 0; }
#endif
