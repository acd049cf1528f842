/* Variables of a netCDF file, written and read by all ranks through PnetCDF from arrays with ghost cells: slabs FILE.
 * Prints a hash of the file and of what was read, ghost cells as well, on all ranks: the same natively and by our code;
 * and as an error the seconds of writing and reading. A rank has EDGE rows and columns. */
#include "random-type.h"

#include <inttypes.h>
#include <pnetcdf.h>
#include <stdio.h>

#ifndef EDGE
#define EDGE 12
#endif
enum { VARIABLES = 6, GHOSTS = 2, WIDTH = EDGE + 2 * GHOSTS };

static int rank, ranks;
static double written[WIDTH][WIDTH], read_back[WIDTH][WIDTH];

static void check(int status) {
  if (status == NC_NOERR) return;
  fprintf(stderr, "%s\n", ncmpi_strerror(status));
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static void define(int file, int variables[VARIABLES]) {
  int dimensions[2];
  char name[16];
  check(ncmpi_def_dim(file, "rows", (MPI_Offset)ranks * EDGE, &dimensions[0]));
  check(ncmpi_def_dim(file, "columns", EDGE, &dimensions[1]));
  for (int i = 0; i < VARIABLES; i++) {
    snprintf(name, sizeof name, "variable %d", i);
    check(ncmpi_def_var(file, name, NC_DOUBLE, 2, dimensions, &variables[i]));
  }
  check(ncmpi_enddef(file));
}

static uint64_t hash_of_file(const char *path, uint64_t hash) {
  unsigned char some[4096];
  FILE *file = fopen(path, "rb");
  if (file == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  for (size_t got; (got = fread(some, 1, sizeof some, file)) > 0;) hash = hashed(hash, some, got);
  fclose(file);
  return hash;
}

int main(int argc, char **argv) {
  int file, variables[VARIABLES];
  uint64_t hash = UINT64_C(0xcbf29ce484222325), total = 0;
  double in_puts = 0, in_gets = 0;
  MPI_Datatype inner;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 2) MPI_Abort(MPI_COMM_WORLD, 2);
  const MPI_Offset start[] = {(MPI_Offset)rank * EDGE, 0}, count[] = {EDGE, EDGE};
  MPI_Type_create_subarray(2, (int[]){WIDTH, WIDTH}, (int[]){EDGE, EDGE}, (int[]){GHOSTS, GHOSTS}, MPI_ORDER_C,
                           MPI_DOUBLE, &inner);
  MPI_Type_commit(&inner);
  check(ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER, MPI_INFO_NULL, &file));
  define(file, variables);
  for (int i = 0; i < VARIABLES; i++) {
    for (int k = 0; k < WIDTH * WIDTH; k++) written[k / WIDTH][k % WIDTH] = rank * 1000.0 + k + i * 0.5;
    const double begin = MPI_Wtime();
    check(ncmpi_put_vara_all(file, variables[i], start, count, written, 1, inner));
    const double between = MPI_Wtime();
    check(ncmpi_get_vara_all(file, variables[i], start, count, read_back, 1, inner));
    in_puts += between - begin;
    in_gets += MPI_Wtime() - between;
    hash = hashed(hash, (const unsigned char *)read_back, sizeof read_back);
  }
  check(ncmpi_close(file));
  MPI_Reduce(&hash, &total, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%016" PRIx64 "\n", hash_of_file(argv[1], total));
  if (rank == 0) fprintf(stderr, "written in %.9f s, read in %.9f s\n", in_puts, in_gets);
  MPI_Type_free(&inner);
  MPI_Finalize();
  return 0;
}
