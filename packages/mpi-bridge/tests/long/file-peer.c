/* file-peer write|read PATH: blocks of 3 doubles of each rank in turn, 8 blocks a rank, from byte 16 on; rank r's
 * double i is 1000 r + i. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype blocks;
  MPI_Type_vector(8, 3, 3 * size, MPI_DOUBLE, &blocks);
  MPI_Type_commit(&blocks);
  double values[24];
  int writes = strcmp(argv[1], "write") == 0;
  for (int i = 0; i < 24; i++) values[i] = writes ? 1000 * rank + i : -1;
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, argv[2], writes ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY,
                    MPI_INFO_NULL, &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_File_set_view(file, 16 + 24 * rank, MPI_DOUBLE, blocks, "native", MPI_INFO_NULL);
  if (writes) MPI_File_write_at_all(file, 0, values, 24, MPI_DOUBLE, MPI_STATUS_IGNORE);
  else MPI_File_read_at_all(file, 0, values, 24, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  for (int i = 0; i < 24; i++) wrong += values[i] != 1000 * rank + i;
  printf("rank %d of %d: %d wrong\n", rank, size, wrong);
  MPI_Type_free(&blocks);
  MPI_Finalize();
  return wrong != 0;
}
