/* What MPI_Type_commit and MPI_Type_free cost: commits CYCLES. Prints nanoseconds of the first commit of each of 64
 * types, of a second one, and the resident memory before and after so many cycles. Run natively, with an empty cache,
 * and with a full one. */
#define _GNU_SOURCE 1
#include "samples.h"

#include <mpi.h>
#include <stdio.h>

enum { TYPES = 64 };

static double committed(int blocks) {
  MPI_Datatype type;
  MPI_Type_vector(blocks, 3, 7, MPI_DOUBLE, &type);
  const double start = MPI_Wtime();
  MPI_Type_commit(&type);
  const double ns = (MPI_Wtime() - start) * 1e9;
  MPI_Type_free(&type);
  return ns;
}

static double median_of_all(void) {
  double ns[TYPES];
  for (int i = 0; i < TYPES; i++) ns[i] = committed(10 + i);
  sort_samples(ns, TYPES);
  return ns[TYPES / 2];
}

static long resident_kib(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2) return 0;
  fclose(file);
  return resident * 4;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  committed(9);
  const double first = median_of_all(), second = median_of_all();
  const int cycles = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < cycles / 10; i++) committed(10 + i % TYPES);
  const long before = resident_kib();
  for (int i = 0; i < cycles; i++) committed(10 + i % TYPES);
  printf("{\"firstCommitNs\":%.0f,\"laterCommitNs\":%.0f,\"residentKiBBefore\":%ld,\"residentKiBAfter\":%ld}\n", first,
         second, before, resident_kib());
  MPI_Finalize();
  return 0;
}
