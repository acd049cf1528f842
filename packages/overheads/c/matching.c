// Section 3.3: rank 0 waits for a message of tag T1 behind M receives of tag T0 from each of N peers. The time begins
// once the message lies in memory of rank 0: its sender has said so by a flag that MPI does not see.
#include "measure.h"

enum { MOST_REQUESTS = 1 << 14 };
static MPI_Request requests[MOST_REQUESTS];
static int told;

// Rank 0 receives; rank 1 has sent before the clock starts.
static double receive_behind(void) {
  int message;
  told++;
  if (rank == 1) {
    gate_wait(0, told);
    MPI_Send(&told, 1, MPI_INT, 0, T1, MPI_COMM_WORLD);
    gate_set(1, told);
    return 0;
  }
  MPI_Request last;
  MPI_Irecv(&message, 1, MPI_INT, 1, T1, MPI_COMM_WORLD, &last);
  gate_set(0, told);
  gate_wait(1, told);
  double start = now_ns();
  MPI_Wait(&last, MPI_STATUS_IGNORE);
  return now_ns() - start;
}

static void measure(const char *panel, int peers, int each) {
  static int buffers[MOST_REQUESTS];
  double times[MOST_SAMPLES];
  int posted = 0;
  if (rank == 0)
    for (int i = 0; i < each; i++)
      for (int peer = 1; peer <= peers; peer++, posted++)
        MPI_Irecv(&buffers[posted], 1, MPI_INT, peer, T0, MPI_COMM_WORLD, &requests[posted]);
  gate_barrier();
  for (int i = -2; rank < 2 && i < 2 * samples_of(); i++) {
    double time = receive_behind();
    if (i >= 0) times[i] = time;
  }
  point(panel, "MPI", panel[0] == 'p' ? peers : each, times, 2 * samples_of());
  gate_barrier();
  // What was posted is sent, in pieces: nobody's queue overflows.
  for (int i = 0; i < each; i++) {
    if (rank >= 1 && rank <= peers) MPI_Send(&i, 1, MPI_INT, 0, T0, MPI_COMM_WORLD);
    for (int peer = 0; rank == 0 && peer < peers; peer++) MPI_Wait(&requests[i * peers + peer], MPI_STATUS_IGNORE);
  }
  gate_barrier();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  for (int each = 1; each <= (quick ? 4096 : 8192); each *= quick ? 8 : 2) measure("requests", 1, each);
  for (int peers = 1; peers < size; peers++) measure("peers", peers, 1);
  MPI_Finalize();
  return 0;
}
