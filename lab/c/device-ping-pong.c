/* Vectors between two ranks' GPUs: device-ping-pong CUBIN [MOST-BYTES]. Contenders in turns in one process: the
 * program's MPI with the vector in device memory, as it is preloaded; kernels written by hand (device-hand.cu) with MPI
 * on bytes in pinned memory; and those bytes alone. One way, medians of the turns' means. */
#include "device-ranks.h"
#include "samples.h"

enum { TURNS = 15 };

static void *pack, *unpack;
static unsigned char *pinned;
static uint64_t memory;

struct shape {
  long bytes;
  int block, stride; /* in words of 8 bytes */
  MPI_Datatype vector;
};

static void launch(void *kernel, void *to, void *from, const struct shape *s) {
  long words = s->bytes / 8;
  int block = s->block, stride = s->stride;
  void *parameters[] = {&to, &from, &words, &block, &stride};
  launch_threads(kernel, words, NULL, parameters);
  synchronise(NULL);
}

static void hand_send(const struct shape *s) {
  launch(pack, pinned, device_pointer(memory), s);
  MPI_Send(pinned, (int)s->bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
}

static void hand_receive(const struct shape *s) {
  MPI_Recv(pinned, (int)s->bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  launch(unpack, device_pointer(memory), pinned, s);
}

static void type_send(const struct shape *s) {
  MPI_Send(device_pointer(memory), 1, s->vector, 1 - rank, 0, MPI_COMM_WORLD);
}

static void type_receive(const struct shape *s) {
  MPI_Recv(device_pointer(memory), 1, s->vector, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void bytes_send(const struct shape *s) {
  MPI_Send(pinned, (int)s->bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
}

static void bytes_receive(const struct shape *s) {
  MPI_Recv(pinned, (int)s->bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static const struct {
  const char *name;
  void (*send)(const struct shape *);
  void (*receive)(const struct shape *);
} contenders[] = {
    {"type", type_send, type_receive}, {"hand", hand_send, hand_receive}, {"bytes", bytes_send, bytes_receive}};
enum { CONTENDERS = 3 };

static double one_way_us(int contender, const struct shape *s, int times) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < times; i++) {
    if (rank == 0) contenders[contender].send(s), contenders[contender].receive(s);
    else contenders[contender].receive(s), contenders[contender].send(s);
  }
  return (MPI_Wtime() - start) * 1e6 / times / 2;
}

/* The vector's bytes of rank 0 reach rank 1, and nothing else does. */
static int is_right(int contender, const struct shape *s, size_t span, unsigned char *copy) {
  for (size_t i = 0; i < span; i++) copy[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + 7);
  if (rank == 0) must(cuMemcpyHtoD_v2(memory, copy, span), "cuMemcpyHtoD");
  else must(cuMemsetD8_v2(memory, 0xee, span), "cuMemsetD8");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) contenders[contender].send(s);
  else contenders[contender].receive(s);
  if (rank == 0) return 1;
  unsigned char *got = malloc(span);
  must(cuMemcpyDtoH_v2(got, memory, span), "cuMemcpyDtoH");
  size_t wrong = 0;
  for (size_t i = 0; i < span; i++)
    wrong += got[i] != (i % (8 * (size_t)s->stride) < 8 * (size_t)s->block ? copy[i] : 0xee);
  free(got);
  return wrong == 0;
}

static void measure(long bytes, int block, unsigned char *copy) {
  struct shape s = {bytes, block, 2 * block, MPI_DATATYPE_NULL};
  const size_t span = 2 * (size_t)bytes - 8 * (size_t)block;
  const int times = bytes > 4 << 20 ? 1 : bytes > 1 << 20 ? 8 : bytes > 65536 ? 40 : 200;
  double us[CONTENDERS][TURNS];
  MPI_Type_vector((int)(bytes / 8 / block), block, 2 * block, MPI_DOUBLE, &s.vector);
  MPI_Type_commit(&s.vector);
  for (int warm = 0; warm < times / 2 + 1; warm++) one_way_us(0, &s, 1);
  for (int turn = 0; turn < TURNS; turn++)
    for (int c = 0; c < CONTENDERS; c++) us[c][turn] = one_way_us(c, &s, times);
  for (int c = 0; c < CONTENDERS; c++) {
    const int right = contenders[c].send == bytes_send || is_right(c, &s, span, copy);
    sort_samples(us[c], TURNS);
    if (rank == 1)
      printf("{\"bytes\":%ld,\"block\":%d,\"contender\":\"%s\",\"medianUs\":%.2f,\"minUs\":%.2f,\"maxUs\":%.2f,"
             "\"verified\":%s}\n",
             bytes, 8 * block, contenders[c].name, us[c][TURNS / 2], us[c][0], us[c][TURNS - 1],
             right ? "true" : "false"),
          fflush(stdout);
  }
  MPI_Type_free(&s.vector);
}

int main(int argc, char **argv) {
  char name[128] = "";
  const long most = argc > 2 ? atol(argv[2]) : 4 << 20;
  start_ranks(&argc, &argv);
  must(cuDeviceGetName(name, sizeof name, rank % devices), "cuDeviceGetName");
  fprintf(stderr, "rank %d: device %d of %d, %s\n", rank, rank % devices, devices, name);
  void *module = module_at(argv[1]);
  pack = kernel_of(module, "pack");
  unpack = kernel_of(module, "unpack");
  must(cuMemAlloc_v2(&memory, 2 * (size_t)most), "cuMemAlloc");
  pinned = pinned_memory((size_t)most);
  unsigned char *copy = malloc(2 * (size_t)most);
  static const long sizes[] = {1024, 65536, 1 << 20, 4 << 20, 64 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++)
    for (int block = 1; block <= 64; block *= 8) measure(sizes[i], block, copy);
  MPI_Finalize();
  return 0;
}
