// Section 3.5: the same number of bytes, side by side or every other one of a basic type.
#include "ping-pong.h"

enum { SHORT_BYTES = 512, MOST_BYTES = 1 << 19, KINDS = 5 };
static const char *series[KINDS] = {"contiguous", "char", "short", "int", "double"};
static const int widths[KINDS] = {1, 1, 2, 4, 8};

static MPI_Datatype basic(int kind) {
  const MPI_Datatype types[KINDS] = {MPI_BYTE, MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE};
  return types[kind];
}

static void measure(const char *panel, char *out, char *in, int bytes) {
  MPI_Datatype types[KINDS];
  double times[KINDS][MOST_SAMPLES];
  int turns = turns_of(bytes * 4);
  for (int kind = 0; kind < KINDS; kind++) {
    MPI_Type_vector(bytes / widths[kind], 1, kind == 0 ? 1 : 2, basic(kind), &types[kind]);
    MPI_Type_commit(&types[kind]);
  }
  for (int i = -1; i < samples_of(); i++)
    for (int kind = 0; kind < KINDS; kind++) {
      double time = half_trip(blocking, out, in, 1, types[kind], turns);
      if (i >= 0) times[kind][i] = time;
    }
  for (int kind = 0; kind < KINDS; kind++) {
    point(panel, series[kind], bytes, times[kind], samples_of());
    MPI_Type_free(&types[kind]);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  char *out = calloc(2, MOST_BYTES), *in = calloc(2, MOST_BYTES);
  if (rank < 2) {
    for (int bytes = 8; bytes <= SHORT_BYTES; bytes *= quick ? 4 : 2) measure("short", out, in, bytes);
    for (int bytes = 1024; bytes <= (quick ? MOST_BYTES / 2 : MOST_BYTES); bytes *= quick ? 4 : 2)
      measure("long", out, in, bytes);
  }
  gate_barrier();
  MPI_Finalize();
  return 0;
}
