/* Puts and gets of one type, doubles with gaps as long, on both sides of a window that processes of one host share:
 * straight TIMES. Each puts into the next rank's memory, and gets it back. Printed is how many sides were other than
 * they should be, and the classes of errors of a put outside an epoch and of one to a rank that is not there. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 100, ROOM = 2 * BLOCKS };

static int rank, ranks;

static int is_right(const double *found, double salt, double gap) {
  for (int i = 0; i < ROOM; i++)
    if (found[i] != (i % 2 == 0 ? salt + i : gap)) return 0;
  return 1;
}

static void fill(double *memory, double salt, double gap) {
  for (int i = 0; i < ROOM; i++) memory[i] = i % 2 == 0 ? salt + i : gap;
}

static int wrong_of(MPI_Datatype type, MPI_Win window, double *memory, double salt) {
  static double out[ROOM], in[ROOM];
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  fill(out, salt + rank, -1);
  fill(in, 0, -2);
  fill(memory, 0, -3);
  MPI_Win_fence(0, window);
  MPI_Put(out, 1, type, to, 0, 1, type, window);
  MPI_Win_fence(0, window);
  MPI_Get(in, 1, type, to, 0, 1, type, window);
  MPI_Win_fence(0, window);
  return !is_right(memory, salt + from, -3) + !is_right(in, salt + rank, -2);
}

static int class_of(int status) {
  int class = MPI_SUCCESS;
  if (status != MPI_SUCCESS) MPI_Error_class(status, &class);
  return class;
}

int main(int argc, char **argv) {
  static double out[ROOM];
  double *memory;
  int wrong = 0, total = 0;
  MPI_Datatype type;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Type_vector(BLOCKS, 1, 2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Win_allocate_shared(sizeof(double[ROOM]), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  const int without_epoch = class_of(MPI_Put(out, 1, type, 0, 0, 1, type, window));
  MPI_Win_fence(0, window);
  for (int i = 0; i < atoi(argv[1]); i++) wrong += wrong_of(type, window, memory, 1000.0 * i);
  const int to_nobody = class_of(MPI_Put(out, 1, type, ranks, 0, 1, type, window));
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  const int after_epoch = class_of(MPI_Put(out, 1, type, 0, 0, 1, type, window));
  MPI_Win_free(&window);
  MPI_Type_free(&type);
  MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong; errors %d, %d, %d\n", total, without_epoch, to_nobody, after_epoch);
  MPI_Finalize();
  return 0;
}
