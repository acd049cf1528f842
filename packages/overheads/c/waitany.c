// Section 3.4: MPI_Waitany of many receives where the message that has come is that of the first.
#include "measure.h"

enum { MOST_REQUESTS = 8192 };
static MPI_Request requests[MOST_REQUESTS];
static int buffers[MOST_REQUESTS], told;

static double wait_any(int count) {
  told++;
  if (rank == 1) {
    gate_wait(0, told);
    MPI_Send(&told, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    gate_set(1, told);
    return 0;
  }
  int index, flag;
  gate_set(0, told);
  gate_wait(1, told);
  MPI_Iprobe(1, MOST_REQUESTS, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); // matches the message: the first is over
  double start = now_ns();
  MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
  double time = now_ns() - start;
  MPI_Irecv(&buffers[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
  return time;
}

static void measure(int count) {
  double times[MOST_SAMPLES];
  for (int i = 0; rank == 0 && i < count; i++) MPI_Irecv(&buffers[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = -2; i < 2 * samples_of(); i++) {
    double time = wait_any(count);
    if (i >= 0) times[i] = time;
  }
  point("requests", "MPI", count, times, 2 * samples_of());
  for (int i = 0; i < count; i++) {
    if (rank == 1) MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    else MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  for (int count = 1; rank < 2 && count <= 4096; count *= quick ? 8 : 2) measure(count);
  gate_barrier();
  MPI_Finalize();
  return 0;
}
