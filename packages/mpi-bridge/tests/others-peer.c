// others-peer WHAT [PATH]: the C end of others.mjs, on the other rank: it makes the calls of MPI that its source says,
// and no others. Alone, with "operation", it says whether the MPI does the reductions' operation right.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;

// A window of 4 doubles, fences, and a lock on the other rank's.
static int window(void) {
  double held[4] = {0, 0, 0, 0}, own[2] = {10, 11}, got[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(held, sizeof held, sizeof *held, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(own, 2, MPI_DOUBLE, !rank, 1, 2, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  int right = held[1] == 20 && held[2] == 21 && held[3] == 0;
  MPI_Accumulate(own, 1, MPI_DOUBLE, !rank, 0, 1, MPI_DOUBLE, MPI_SUM, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  right = right && held[0] == 20;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, !rank, 0, win);
  MPI_Get(got, 2, MPI_DOUBLE, !rank, 1, 2, MPI_DOUBLE, win);
  MPI_Win_unlock(!rank, win);
  right = right && got[0] == 10 && got[1] == 11;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
  return right;
}

// Rank r writes its doubles at every other place, and reads the other's.
static int file(const char *path) {
  MPI_File handle;
  double own[4], got[4];
  for (int i = 0; i < 4; i++) own[i] = 100 * rank + i;
  MPI_Datatype every;
  MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &every);
  MPI_Type_commit(&every);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &handle);
  MPI_File_set_view(handle, 8 * rank, MPI_DOUBLE, every, "native", MPI_INFO_NULL);
  MPI_File_write_at_all(handle, 0, own, 4, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_sync(handle);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_view(handle, 8 * !rank, MPI_DOUBLE, every, "native", MPI_INFO_NULL);
  MPI_File_read_at_all(handle, 0, got, 4, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&handle);
  MPI_Type_free(&every);
  int right = 1;
  for (int i = 0; i < 4; i++) right = right && got[i] == 100 * !rank + i;
  return right;
}

// Open MPI's sums of 16 bits are wrong, MPICH's comparisons of unsigned bytes were before 4.2.
static int is_open_mpi(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(version, &length);
  return strstr(version, "Open MPI") != NULL;
}

// With numbers that the MPI does right.
static int reduction(void) {
  if (is_open_mpi()) {
    short own[2] = {7, 9}, got[2] = {0, 0};
    MPI_Allreduce(own, got, 2, MPI_INT16_T, MPI_SUM, MPI_COMM_WORLD);
    return got[0] == 14 && got[1] == 12;
  }
  unsigned char own[2] = {7, 9}, got[2] = {0, 0};
  MPI_Allreduce(own, got, 2, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
  return got[0] == 7 && got[1] == 9;
}

// With others, and enough of them for vector instructions.
static int operation(void) {
  enum { COUNT = 64 };
  int right = 1;
  short sum[COUNT], addend[COUNT];
  unsigned char greatest[COUNT], other[COUNT];
  for (int i = 0; i < COUNT; i++) sum[i] = addend[i] = 30000, greatest[i] = 7, other[i] = 128;
  if (is_open_mpi()) MPI_Reduce_local(addend, sum, COUNT, MPI_INT16_T, MPI_SUM);
  else MPI_Reduce_local(other, greatest, COUNT, MPI_UNSIGNED_CHAR, MPI_MAX);
  for (int i = 0; i < COUNT; i++) right = right && (is_open_mpi() ? sum[i] == (short)60000 : greatest[i] == 128);
  return right;
}

static int work(const char *what, const char *path) {
  if (strcmp(what, "window") == 0) return window();
  if (strcmp(what, "file") == 0) return file(path);
  return strcmp(what, "operation") == 0 ? operation() : reduction();
}

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *what = arguments[1];
  int right = work(what, arguments[2]);
  printf("C: %s is %s\n", what, right ? "right" : "wrong");
  MPI_Finalize();
  return !right;
}
