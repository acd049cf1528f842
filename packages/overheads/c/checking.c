// Section 3.9: a ping-pong, named for whether this MPI looks at arguments now. It is started once with the checks on and
// once with what turns them off.
#include "ping-pong.h"

enum { MOST_BYTES = 4096 };

// No message is sent, so that a library that does not look does no harm.
static int looks_at_arguments(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  return MPI_Send(NULL, -1, MPI_BYTE, MPI_PROC_NULL, T0, MPI_COMM_WORLD) != MPI_SUCCESS;
}

// A call that does nothing else.
static double to_nobody(int messages) {
  double start = now_ns();
  for (int i = 0; i < messages; i++) MPI_Send(NULL, 0, MPI_BYTE, MPI_PROC_NULL, T0, MPI_COMM_WORLD);
  return (now_ns() - start) / messages;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  char *out = calloc(1, MOST_BYTES), *in = calloc(1, MOST_BYTES);
  const char *series = looks_at_arguments() ? "checked" : "unchecked";
  double times[MOST_SAMPLES];
  for (int bytes = 1; rank < 2 && bytes <= MOST_BYTES; bytes *= quick ? 8 : 2) {
    half_trip(blocking, out, in, bytes, MPI_BYTE, turns_of(bytes));
    for (int i = 0; i < samples_of(); i++) times[i] = half_trip(blocking, out, in, bytes, MPI_BYTE, turns_of(bytes));
    point("latency", series, bytes, times, samples_of());
  }
  for (int i = 0; rank == 0 && i < samples_of(); i++) times[i] = to_nobody(10000);
  point("call", series, 0, times, samples_of());
  gate_barrier();
  MPI_Finalize();
  return 0;
}
