/* Contiguous messages of one rank to itself: contiguous TURNS. For counting the instructions of one. Ends with 1 where
 * other bytes arrived than were sent. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  static char sent[64], received[64];
  MPI_Init(&argc, &argv);
  const int turns = argc > 1 ? atoi(argv[1]) : 0;
  memset(sent, 0x5a, sizeof sent);
  for (int i = 0; i < turns; i++) {
    MPI_Request request;
    MPI_Irecv(received, sizeof received, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(sent, sizeof sent, MPI_BYTE, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return turns > 0 && memcmp(sent, received, sizeof sent) != 0;
}
