// Section 3.1: the transport underneath on one node, without MPI: a copy into memory of both, a flag, a copy out of it.
#include "measure.h"

enum { MOST_BYTES = 1 << 18, SLOT = MOST_BYTES + 4096 };
static char *out, *in;
static int trips;

static void send_bytes(int bytes) {
  memcpy(gate->bytes + rank * SLOT, out, (size_t)bytes);
  gate_set(rank, ++trips);
}

static void receive_bytes(int bytes) {
  gate_wait(1 - rank, rank == 0 ? trips : trips + 1);
  memcpy(in, gate->bytes + (1 - rank) * SLOT, (size_t)bytes);
}

static double half_trip(int bytes, int turns) {
  double start = now_ns();
  for (int i = 0; i < turns; i++) {
    if (rank == 0) send_bytes(bytes);
    receive_bytes(bytes);
    if (rank == 1) send_bytes(bytes);
  }
  return (now_ns() - start) / turns / 2;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  out = calloc(1, MOST_BYTES);
  in = calloc(1, MOST_BYTES);
  for (int bytes = 1; rank < 2 && bytes <= MOST_BYTES; bytes *= quick ? 4 : 2) {
    double times[MOST_SAMPLES];
    half_trip(bytes, turns_of(bytes));
    for (int i = 0; i < samples_of(); i++) times[i] = half_trip(bytes, turns_of(bytes));
    point("latency", "shared memory", bytes, times, samples_of());
  }
  gate_barrier();
  MPI_Finalize();
  return 0;
}
