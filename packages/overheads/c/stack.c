// Section 3.1: MPI's own latency and bandwidth, and the longest message before the protocol changes.
#include "ping-pong.h"
#include <math.h>

enum { MOST_BYTES = 1 << 20, WINDOW = 32 };
static char *out, *in;

static void latency(int bytes) {
  double times[MOST_SAMPLES];
  int samples = samples_of();
  half_trip(blocking, out, in, bytes, MPI_BYTE, turns_of(bytes));
  for (int i = 0; i < samples; i++) times[i] = half_trip(blocking, out, in, bytes, MPI_BYTE, turns_of(bytes));
  point("latency", "MPI", bytes, times, samples);
}

// Nanoseconds a message, of a window of them.
static double window(int bytes) {
  MPI_Request requests[WINDOW];
  double start = now_ns();
  for (int i = 0; i < WINDOW; i++)
    if (rank == 0) MPI_Isend(out, bytes, MPI_BYTE, 1, T0, MPI_COMM_WORLD, &requests[i]);
    else MPI_Irecv(in, bytes, MPI_BYTE, 0, T0, MPI_COMM_WORLD, &requests[i]);
  MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
  if (rank == 0) MPI_Recv(in, 0, MPI_BYTE, 1, T1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else MPI_Send(out, 0, MPI_BYTE, 0, T1, MPI_COMM_WORLD);
  return (now_ns() - start) / WINDOW;
}

static void bandwidth(int bytes) {
  double times[MOST_SAMPLES];
  int samples = samples_of();
  window(bytes);
  for (int i = 0; i < samples; i++) times[i] = window(bytes);
  point("bandwidth", "MPI", bytes, times, samples);
}

// The least of a few: a step is looked for, not a mean.
static double least_trip(int bytes) {
  double least = 1e18;
  for (int i = 0; i < 5; i++) {
    double time = half_trip(blocking, out, in, bytes, MPI_BYTE, 40);
    if (time < least) least = time;
  }
  return least;
}

// Rank 0 says of which size; rank 1 goes along until there is none.
static double asked_trip(int bytes) {
  MPI_Send(&bytes, 1, MPI_INT, 1, T1, MPI_COMM_WORLD);
  return bytes < 0 ? 0 : least_trip(bytes);
}

static void go_along(void) {
  for (int bytes = 0; bytes >= 0;) {
    MPI_Recv(&bytes, 1, MPI_INT, 0, T1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (bytes >= 0) least_trip(bytes);
  }
}

// Twice the bytes take at most twice as long, unless the protocol changes from eager to rendezvous between them: where
// they take longest, sizes are halved until the last byte that is eager is known, and what the next one adds.
static void eager_limit(void) {
  if (rank == 1) return go_along();
  int low = 0, high = 0;
  double jump = 2.2, before = asked_trip(128), level = 0;
  for (int bytes = 256; bytes <= MOST_BYTES / 2; bytes *= 2) {
    double time = asked_trip(bytes);
    if (time / before > jump) {
      jump = time / before;
      low = bytes / 2, high = bytes, level = sqrt(time * before);
    }
    before = time;
  }
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (asked_trip(middle) < level) low = middle;
    else high = middle;
  }
  double step = low > 0 ? asked_trip(high) - asked_trip(low) : 0;
  asked_trip(-1);
  if (step > 0) point("eager limit", "MPI", low, &step, 1);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  out = calloc(1, MOST_BYTES);
  in = calloc(1, MOST_BYTES);
  if (rank < 2) {
    for (int bytes = 1; bytes <= MOST_BYTES; bytes *= quick ? 4 : 2) latency(bytes);
    for (int bytes = 1; bytes <= MOST_BYTES; bytes *= quick ? 4 : 2) bandwidth(bytes);
    eager_limit();
  }
  gate_barrier();
  MPI_Finalize();
  return 0;
}
