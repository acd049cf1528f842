/* Commits and frees a datatype of one of three constructors again and again: cycles COUNT. Prints the resident memory
 * in KiB when a tenth of the cycles has passed, and at the end. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long resident_kib(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%*s %ld", &pages) != 1) exit(2);
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static MPI_Datatype type_of(int cycle) {
  const int sizes[] = {16, 16}, parts[] = {4, 1 + cycle % 8}, starts[] = {1, 1};
  MPI_Datatype inner, type;
  switch (cycle % 3) {
  case 0: MPI_Type_vector(10 + cycle % 50, 1, 3, MPI_DOUBLE, &type); break;
  case 1: MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type); break;
  default:
    MPI_Type_vector(10 + cycle % 50, 1, 3, MPI_DOUBLE, &inner);
    MPI_Type_create_resized(inner, 0, 4096, &type);
    MPI_Type_free(&inner);
  }
  return type;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int cycles = argc > 1 ? atoi(argv[1]) : 100000;
  for (int cycle = 0; cycle < cycles; cycle++) {
    MPI_Datatype type = type_of(cycle);
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    if (cycle == cycles / 10 || cycle == cycles - 1) printf("%d cycles, %ld KiB\n", cycle + 1, resident_kib());
  }
  MPI_Finalize();
  return 0;
}
