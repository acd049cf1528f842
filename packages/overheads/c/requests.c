// Section 3.2: a ping-pong by blocking calls, by requests made for each message, and by requests that are made once.
#include "ping-pong.h"

enum { MOST_BYTES = 4096, MODES = 3 };

static void nonblocking(void *out, void *in, int count, MPI_Datatype type, int peer) {
  MPI_Request request;
  for (int step = 0; step < 2; step++) {
    if (step == rank) MPI_Isend(out, count, type, peer, T0, MPI_COMM_WORLD, &request);
    else MPI_Irecv(in, count, type, peer, T0, MPI_COMM_WORLD, &request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  }
}

static MPI_Request sending, receiving;

static void persistent(void *out, void *in, int count, MPI_Datatype type, int peer) {
  (void)out, (void)in, (void)count, (void)type, (void)peer;
  for (int step = 0; step < 2; step++) {
    MPI_Request *request = step == rank ? &sending : &receiving;
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  }
}

static void measure(char *out, char *in, int bytes) {
  static const Trip trips[MODES] = {blocking, nonblocking, persistent};
  static const char *series[MODES] = {"blocking", "nonblocking", "persistent"};
  double times[MODES][MOST_SAMPLES];
  MPI_Send_init(out, bytes, MPI_BYTE, 1 - rank, T0, MPI_COMM_WORLD, &sending);
  MPI_Recv_init(in, bytes, MPI_BYTE, 1 - rank, T0, MPI_COMM_WORLD, &receiving);
  for (int i = -1; i < samples_of(); i++) // in turns, so that a slow moment is everybody's
    for (int mode = 0; mode < MODES; mode++) {
      double time = half_trip(trips[mode], out, in, bytes, MPI_BYTE, turns_of(bytes));
      if (i >= 0) times[mode][i] = time;
    }
  MPI_Request_free(&sending);
  MPI_Request_free(&receiving);
  for (int mode = 0; mode < MODES; mode++) point("latency", series[mode], bytes, times[mode], samples_of());
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  char *out = calloc(1, MOST_BYTES), *in = calloc(1, MOST_BYTES);
  for (int bytes = 1; rank < 2 && bytes <= MOST_BYTES; bytes *= quick ? 8 : 2) measure(out, in, bytes);
  gate_barrier();
  MPI_Finalize();
  return 0;
}
