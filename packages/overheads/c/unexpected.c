// Section 3.7: rank 0 asks for a message of tag T1 that came behind M messages of tag T0 from each of N peers. All of
// them lie in memory of rank 0 when the clock starts: their senders have said so by a flag that MPI does not see.
#include "measure.h"

static int told;

static double receive_behind(void) {
  int message;
  told++;
  if (rank == 1) {
    gate_wait(0, told);
    MPI_Send(&told, 1, MPI_INT, 0, T1, MPI_COMM_WORLD);
    gate_set(1, told);
    return 0;
  }
  gate_set(0, told);
  gate_wait(1, told);
  int flag;
  MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag,
             MPI_STATUS_IGNORE); // takes it out of the transport, matches nothing
  double start = now_ns();
  MPI_Recv(&message, 1, MPI_INT, 1, T1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return now_ns() - start;
}

// A transport may hold only so many until rank 0 looks at it.
static void queue_unexpected(int peers, int each) {
  int flag;
  for (int i = 0; i < each; i++)
    if (rank >= 1 && rank <= peers) MPI_Send(&i, 1, MPI_INT, 0, T0, MPI_COMM_WORLD);
  if (rank >= 1 && rank <= peers) atomic_fetch_add(&gate->flags[2], 1);
  static int expected;
  expected += peers;
  for (int turn = 0; rank == 0 && atomic_load(&gate->flags[2]) < expected; turn++) {
    MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    pause_at(turn / 16);
  }
}

static void measure(const char *panel, int peers, int each) {
  double times[MOST_SAMPLES];
  int message;
  queue_unexpected(peers, each);
  gate_barrier();
  for (int i = -2; rank < 2 && i < 2 * samples_of(); i++) {
    double time = receive_behind();
    if (i >= 0) times[i] = time;
  }
  point(panel, "MPI", panel[0] == 'p' ? peers : each, times, 2 * samples_of());
  for (int i = 0; rank == 0 && i < peers * each; i++)
    MPI_Recv(&message, 1, MPI_INT, 1 + i % peers, T0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  gate_barrier();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  for (int each = 1; each <= (quick ? 4096 : 8192); each *= quick ? 8 : 2) measure("messages", 1, each);
  for (int peers = 1; peers < size; peers++) measure("peers", peers, 1);
  MPI_Finalize();
  return 0;
}
