// Section 3.9: a ping-pong. It is started once with the checks on and once with what turns them off, and measures
// nothing where this MPI does otherwise: some are built to look at arguments always.
#include "ping-pong.h"

enum { MOST_BYTES = 4096 };

// A call that does nothing else.
static double to_nobody(int messages) {
  double start = now_ns();
  for (int i = 0; i < messages; i++) MPI_Send(NULL, 0, MPI_BYTE, MPI_PROC_NULL, T0, MPI_COMM_WORLD);
  return (now_ns() - start) / messages;
}

static void measure(const char *series) {
  char *out = calloc(1, MOST_BYTES), *in = calloc(1, MOST_BYTES);
  double times[MOST_SAMPLES];
  for (int bytes = 1; rank < 2 && bytes <= MOST_BYTES; bytes *= quick ? 8 : 2) {
    half_trip(blocking, out, in, bytes, MPI_BYTE, turns_of(bytes));
    for (int i = 0; i < samples_of(); i++) times[i] = half_trip(blocking, out, in, bytes, MPI_BYTE, turns_of(bytes));
    point("latency", series, bytes, times, samples_of());
  }
  for (int i = 0; rank == 0 && i < samples_of(); i++) times[i] = to_nobody(10000);
  point("call", series, 0, times, samples_of());
}

// PROGRAM GATE quick|full checked|unchecked
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  int looks = looks_at_arguments();
  if (looks == (strcmp(argv[3], "checked") == 0)) measure(argv[3]);
  gate_barrier();
  MPI_Finalize();
  return 0;
}
