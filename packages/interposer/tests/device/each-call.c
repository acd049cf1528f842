/* Every call that rows.h has with a buffer: each-call HOW, "host" or "device", of two ranks. Each line is a call and a
 * hash of what rank 0 then has, gaps as well: the same in both. */
#include "cuda.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, COLUMNS = 8, BYTES = ROWS * COLUMNS * 8, COLUMN_BYTES = ROWS * 8 };

struct memory {
  unsigned char copy[BYTES], *place;
};

static int rank, peer, on_device;
static unsigned salt;
static uint64_t hash;
static struct memory sent, received, spare;
static MPI_Comm pair, ring;
/* A column, and the same as the type of elements that lie side by side. */
static MPI_Datatype column, next_column;

static void must(int result, const char *call) {
  if (result == 0) return;
  fprintf(stderr, "%s: expected 0, got %d\n", call, result);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void fill(struct memory *m) {
  for (size_t i = 0; i < BYTES; i++) m->copy[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + 7 + salt);
  salt += 29;
  if (on_device) must(cuMemcpyHtoD_v2((uintptr_t)m->place, m->copy, BYTES), "cuMemcpyHtoD");
}

static void place(struct memory *m) {
  uint64_t address;
  m->place = m->copy;
  if (on_device) {
    must(cuMemAlloc_v2(&address, BYTES), "cuMemAlloc");
    m->place = (unsigned char *)(uintptr_t)address;
  }
  fill(m);
}

static void report(const char *call) {
  if (on_device) must(cuMemcpyDtoH_v2(received.copy, (uintptr_t)received.place, BYTES), "cuMemcpyDtoH");
  for (size_t i = 0; i < BYTES; i++) hash = (hash ^ received.copy[i]) * UINT64_C(0x100000001b3);
  if (rank == 0) printf("%s %016" PRIx64 "\n", call, hash);
  fill(&sent);
  fill(&received);
  MPI_Barrier(pair);
}

#define FORM(name) name
#define COUNT int
#define PLACE int
#include "each-call.h"
#undef FORM
#undef COUNT
#undef PLACE

#if MPI_VERSION >= 4
#define FORM(name) name##_c
#define COUNT MPI_Count
#define PLACE MPI_Aint
#include "each-call.h"
#endif

static void start_device(void) {
  void *context;
  int device;
  must(cuInit(0), "cuInit");
  must(cuDeviceGet(&device, 0), "cuDeviceGet");
  must(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  must(cuCtxPushCurrent_v2(context), "cuCtxPushCurrent");
}

int main(int argc, char **argv) {
  const int sizes[] = {2}, periods[] = {1};
  static char attached[1 << 20];
  MPI_Init(&argc, &argv);
  pair = MPI_COMM_WORLD;
  MPI_Comm_rank(pair, &rank);
  peer = 1 - rank;
  salt = 100u * (unsigned)rank;
  on_device = argc > 1 && strcmp(argv[1], "device") == 0;
  if (on_device) start_device();
  MPI_Cart_create(pair, 1, sizes, periods, 0, &ring);
  MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
  MPI_Type_create_resized(column, 0, 8, &next_column);
  MPI_Type_commit(&column);
  MPI_Type_commit(&next_column);
  MPI_Buffer_attach(attached, sizeof attached);
  place(&sent);
  place(&received);
  place(&spare);
  blocking();
  begun();
  collective();
  packed();
#if MPI_VERSION >= 4
  blocking_c();
  begun_c();
  collective_c();
  packed_c();
#endif
  MPI_Type_free(&column);
  MPI_Type_free(&next_column);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
