/* Puts and gets of one type, doubles with gaps as long, on both sides of a window: straight TIMES KIND, which is
 * created, allocated or shared (allocated by processes of one host to share it). Each puts into the next rank's memory,
 * and gets it back, by a type that it frees at once. Printed is how many sides were other than they should be, and the
 * classes of errors of a put and a get outside an epoch and of both to a rank that is not there. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  MPI_Datatype freed;
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  fill(out, salt + rank, -1);
  fill(in, 0, -2);
  fill(memory, 0, -3);
  MPI_Win_fence(0, window);
  MPI_Put(out, 1, type, to, 0, 1, type, window);
  MPI_Win_fence(0, window);
  MPI_Type_dup(type, &freed);
  MPI_Get(in, 1, freed, to, 0, 1, freed, window);
  MPI_Type_free(&freed);
  MPI_Win_fence(0, window);
  return !is_right(memory, salt + from, -3) + !is_right(in, salt + rank, -2);
}

static int class_of(int status) {
  int class = MPI_SUCCESS;
  if (status != MPI_SUCCESS) MPI_Error_class(status, &class);
  return class;
}

static void print_errors(MPI_Datatype type, MPI_Win window, int target) {
  static double memory[ROOM];
  const int put = class_of(MPI_Put(memory, 1, type, target, 0, 1, type, window));
  const int get = class_of(MPI_Get(memory, 1, type, target, 0, 1, type, window));
  if (rank == 0) printf(" %d, %d;", put, get);
}

static void make_window(const char *kind, double **memory, MPI_Win *window) {
  const MPI_Aint bytes = sizeof(double[ROOM]);
  const int unit = sizeof(double);
  if (strcmp(kind, "created") == 0) {
    *memory = malloc((size_t)bytes);
    MPI_Win_create(*memory, bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, window);
  } else if (strcmp(kind, "allocated") == 0)
    MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window);
  else MPI_Win_allocate_shared(bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window);
  MPI_Win_set_errhandler(*window, MPI_ERRORS_RETURN);
}

int main(int argc, char **argv) {
  double *memory;
  int wrong = 0, total = 0;
  MPI_Datatype type;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Type_vector(BLOCKS, 1, 2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  make_window(argv[2], &memory, &window);
  if (rank == 0) printf("errors");
  print_errors(type, window, 0);
  MPI_Win_fence(0, window);
  for (int i = 0; i < atoi(argv[1]); i++) wrong += wrong_of(type, window, memory, 1000.0 * i);
  print_errors(type, window, ranks);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  print_errors(type, window, 0);
  MPI_Win_free(&window);
  MPI_Type_free(&type);
  MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf(" %d wrong\n", total);
  MPI_Finalize();
  return 0;
}
