/* What messages between two GPUs are made of: device-parts CUBIN, two ranks. A launch and ways to wait for it; an
 * envelope of the MPI whose bytes all come from one place in cache; a kernel that reads the other rank's memory (CUDA
 * IPC). Medians of one way or of one launch. */
#include "device-ranks.h"
#include "samples.h"

enum { TIMES = 300, MOST = 4 << 20, READ = 1, FILL = 17 };

static void *pack, *stream;
static uint64_t memory, peer, staging;
static volatile uint32_t *flag;
static unsigned char *pinned;
static uint32_t turn;

static void launch(uint64_t to, uint64_t from, long bytes) {
  long words = bytes / 8;
  int block = 8, stride = 16;
  void *parameters[] = {&to, &from, &words, &block, &stride};
  launch_threads(pack, words, stream, parameters);
}

static void synchronised(long bytes) {
  launch((uintptr_t)pinned, memory, bytes);
  synchronise(stream);
}
static void queried(long bytes) {
  launch((uintptr_t)pinned, memory, bytes);
  while (cuStreamQuery(stream) != 0) continue;
}
static void flagged(long bytes) {
  launch((uintptr_t)pinned, memory, bytes);
  must(cuStreamWriteValue32_v2(stream, (uintptr_t)flag, ++turn, 0), "cuStreamWriteValue32");
  while (*flag != turn) continue;
}
static void on_device(long bytes) {
  launch(staging, memory, bytes);
  synchronise(stream);
}
static void from_peer(long bytes) {
  launch(staging, peer, bytes);
  synchronise(stream);
}
static void idle(long bytes) { (void)bytes, synchronise(stream); }

static void exchange(MPI_Datatype type, int count) {
  static unsigned char hot[32768];
  if (rank == 0)
    MPI_Send(hot, count, type, 1, 0, MPI_COMM_WORLD),
        MPI_Recv(hot, count, type, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Recv(hot, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
        MPI_Send(hot, count, type, 0, 0, MPI_COMM_WORLD);
}
static void envelope(long bytes) {
  static MPI_Datatype type;
  static long of;
  if (of != bytes) {
    of = bytes;
    MPI_Type_create_hvector((int)(bytes / 1024), 1024, 0, MPI_BYTE, &type);
    MPI_Type_commit(&type);
  }
  exchange(type, 1);
}
static void contiguous(long bytes) {
  if (rank == 0)
    MPI_Send(pinned, (int)bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD),
        MPI_Recv(pinned, (int)bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Recv(pinned, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
        MPI_Send(pinned, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

static void measure(const char *what, void (*run)(long), long bytes, double share) {
  double us[TIMES];
  for (int i = -50; i < TIMES; i++) {
    const double start = MPI_Wtime();
    run(bytes);
    if (i >= 0) us[i] = (MPI_Wtime() - start) * 1e6 * share;
  }
  sort_samples(us, TIMES);
  if (rank == 0)
    printf("{\"what\":\"%s\",\"bytes\":%ld,\"runs\":%d,\"medianUs\":%.2f,\"minUs\":%.2f,\"maxUs\":%.2f}\n", what, bytes,
           TIMES, us[TIMES / 2], us[0], us[TIMES - 1]),
        fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  struct handle own, other;
  unsigned char seen = 0;
  start_ranks(&argc, &argv);
  pack = kernel_of(module_at(argv[1]), "pack");
  must(cuStreamCreate(&stream, 0), "cuStreamCreate");
  must(cuMemAlloc_v2(&memory, 2 * MOST), "cuMemAlloc");
  must(cuMemAlloc_v2(&staging, MOST), "cuMemAlloc");
  must(cuMemsetD8_v2(memory, (unsigned char)(FILL + rank), 2 * MOST), "cuMemsetD8");
  pinned = pinned_memory(MOST);
  flag = pinned_memory(4096);
  *flag = 0;
  synchronise(NULL);
  must(cuIpcGetMemHandle(&own, memory), "cuIpcGetMemHandle");
  MPI_Sendrecv(&own, 64, MPI_BYTE, 1 - rank, 0, &other, 64, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const double start = MPI_Wtime();
  must(cuIpcOpenMemHandle_v2(&peer, other, READ), "cuIpcOpenMemHandle");
  const double opened = MPI_Wtime();
  from_peer(1024);
  must(cuMemcpyDtoH_v2(&seen, staging, 1), "cuMemcpyDtoH");
  fprintf(stderr, "rank %d: opened in %.0f us\n", rank, (opened - start) * 1e6);
  must(seen - FILL - (1 - rank), "the other rank's bytes, read by a kernel");
  static const long sizes[] = {1024, 65536, 1 << 20, 4 << 20};
  measure("wait for nothing", idle, 0, 1);
  for (int i = 0; i < 4; i++) {
    measure("launch to pinned, cuStreamSynchronize", synchronised, sizes[i], 1);
    measure("launch to pinned, cuStreamQuery", queried, sizes[i], 1);
    measure("launch to pinned, cuStreamWriteValue32", flagged, sizes[i], 1);
    measure("launch on device", on_device, sizes[i], 1);
    measure("launch from peer", from_peer, sizes[i], 1);
    measure("MPI, contiguous", contiguous, sizes[i], 0.5);
    measure("MPI, folded", envelope, sizes[i], 0.5);
  }
  MPI_Finalize();
  return 0;
}
