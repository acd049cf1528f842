// Receives structs of a double and an int from a Node program, scattered and dense.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
  double value;
  int place;
};

static const int COUNTS[] = {100, 600, 700, 1000, 1400, 2000, 3000, 20000};
enum { COUNT = sizeof COUNTS / sizeof *COUNTS };

static int isReceived(MPI_Datatype type, int extent, int count, int tag, int source) {
  char *const bytes = calloc(count, extent);
  int isRight = MPI_Recv(bytes, count, type, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
  for (int i = 0; i < count && isRight; i++) {
    double value;
    int place;
    __builtin_memcpy(&value, bytes + (size_t)i * extent, 8);
    __builtin_memcpy(&place, bytes + (size_t)i * extent + 8, 4);
    isRight = value == i && place == i;
  }
  free(bytes);
  return isRight;
}

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  int rank, failed = 0, messages = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Datatype bare, spread, dense;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &bare);
  MPI_Type_create_resized(bare, 0, 16, &spread);
  MPI_Type_create_resized(bare, 0, 12, &dense);
  MPI_Type_commit(&spread);
  MPI_Type_commit(&dense);
  for (int turn = 0; turn < 3; turn++) {
    for (int i = 0; i < COUNT; i++, messages++) {
      failed += !(turn == 1 ? isReceived(dense, 12, COUNTS[i], i, !rank) : isReceived(spread, 16, COUNTS[i], i, !rank));
    }
  }
  printf("C: %d messages, %d failed\n", messages, failed);
  MPI_Type_free(&bare);
  MPI_Type_free(&spread);
  MPI_Type_free(&dense);
  MPI_Finalize();
  return failed;
}
