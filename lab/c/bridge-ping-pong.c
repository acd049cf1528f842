// The ping-pong of parts/bridge-ping-pong.mjs in C: half of a round trip, the least of many samples and their median.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As many turns come first as Node needs to be compiled.
enum { WARM_TURNS = 8000 };

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int bytes = atoi(argv[1]), turns = atoi(argv[2]), samples = atoi(argv[3]), rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *out = malloc(bytes), *in = malloc(bytes);
  double *times = malloc(samples * sizeof(double));
  memset(out, 1, bytes);
  memset(in, 2, bytes);
  int warm = (WARM_TURNS + turns - 1) / turns;
  for (int sample = warm < 2 ? -2 : -warm; sample < samples; sample++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < turns; i++) {
      if (rank == 0) {
        MPI_Send(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(in, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
      }
    }
    if (sample >= 0) times[sample] = (MPI_Wtime() - start) / turns / 2 * 1e9;
  }
  for (int i = 0; i < bytes; i++)
    if (in[i] != 1) {
      fprintf(stderr, "byte %d: expected the other rank's, got %d\n", i, in[i]);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  qsort(times, samples, sizeof(double), ascending);
  if (rank == 0)
    printf("{\"medianNs\":%.1f,\"minNs\":%.1f,\"maxNs\":%.1f,\"runs\":%d}\n", times[samples / 2], times[0],
           times[samples - 1], samples);
  MPI_Finalize();
  return 0;
}
