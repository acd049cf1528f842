// Section 3.6: every other int, where the first lies 0 to 7 bytes past a multiple of 8.
#include "ping-pong.h"

enum { MOST_BYTES = 1 << 16, OFFSETS = 8 };

static void measure(char *out, char *in, int bytes) {
  double times[OFFSETS][MOST_SAMPLES];
  MPI_Datatype type;
  MPI_Type_vector(bytes / 4, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  for (int i = -1; i < samples_of(); i++)
    for (int offset = 0; offset < OFFSETS; offset++) {
      double time = half_trip(blocking, out + offset, in + offset, 1, type, turns_of(bytes * 4));
      if (i >= 0) times[offset][i] = time;
    }
  for (int offset = 0; offset < OFFSETS; offset++) {
    char series[2] = {(char)('0' + offset), 0};
    point("latency", series, bytes, times[offset], samples_of());
  }
  MPI_Type_free(&type);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  char *out = aligned_alloc(4096, 3 * MOST_BYTES), *in = aligned_alloc(4096, 3 * MOST_BYTES);
  memset(out, 1, 3 * MOST_BYTES);
  memset(in, 1, 3 * MOST_BYTES);
  for (int bytes = quick ? 64 : 16; rank < 2 && bytes <= MOST_BYTES; bytes *= quick ? 8 : 4) measure(out, in, bytes);
  gate_barrier();
  MPI_Finalize();
  return 0;
}
