/* A ring of processes, each with a grid of 64 x 64 and a halo around it: every process gets its neighbours' edge
 * columns. The columns are packed and unpacked by what stowage compiled, and travel as plain doubles. */
#include "column.h"

#include <mpi.h>
#include <stdio.h>

enum { INSIDE = 64, ROW = INSIDE + 2 };
_Static_assert(column_size == INSIDE * sizeof(double), "a column is as high as the grid");

static double grid[ROW][ROW];

/* Sends the column at `from` to one neighbour, and gets the column at `to` from the other. */
static void exchange(int from, int to_rank, int to, int from_rank) {
  double sent[INSIDE], received[INSIDE];
  column_pack(&grid[1][from], sent, 1, 0, column_size);
  MPI_Sendrecv(sent, INSIDE, MPI_DOUBLE, to_rank, 0, received, INSIDE, MPI_DOUBLE, from_rank, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  column_unpack(received, &grid[1][to], 1, 0, column_size);
}

static double value(int rank, int row, int column) { return rank * 1e6 + row * 1e3 + column; }

int main(int argc, char **argv) {
  int rank, size, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 1; i <= INSIDE; i++)
    for (int j = 1; j <= INSIDE; j++) grid[i][j] = value(rank, i, j);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  exchange(1, left, INSIDE + 1, right);
  exchange(INSIDE, right, 0, left);
  for (int i = 1; i <= INSIDE; i++) {
    wrong += grid[i][INSIDE + 1] != value(right, i, 1);
    wrong += grid[i][0] != value(left, i, INSIDE);
  }
  int all = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d processes, %d wrong values\n", size, all);
  MPI_Finalize();
  return all != 0;
}
