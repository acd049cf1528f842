// The C side of parts/peer-copies.mjs: the same calls in the same order, the same JSON lines.
// gcc -O2 -I CUDA/include two-gpus.c -o two-gpus -l:libcuda.so.1; two-gpus FILE.ptx
#include "cuda-calls.h"
#include <stdint.h>

#define LARGEST ((size_t)1 << 28)
static struct {
  CUdevice device;
  CUcontext context;
  CUstream stream;
  CUdeviceptr memory;
  CUfunction copy_words;
} side[2];
static uint32_t *input, *output;
static int from, to, blocks;
static size_t bytes;

static void enter(int i) { CHECK(cuCtxSetCurrent(side[i].context)); }
static void sync(int i) { CHECK(cuStreamSynchronize(side[i].stream)); }

static void copy(void) {
  CHECK(cuMemcpyPeerAsync(side[to].memory, side[to].context, side[from].memory, side[from].context, bytes,
                          side[from].stream));
  sync(from);
}

static void kernel(void) {
  unsigned long long words = bytes / 16;
  void *parameters[] = {&side[to].memory, &side[from].memory, &words};
  CHECK(cuLaunchKernel(side[0].copy_words, blocks, 1, 1, 256, 1, 1, 0, side[0].stream, parameters, NULL));
  sync(0);
}

static void verify(void (*run)(void), int current) {
  static uint32_t seed = 1;
  seed++;
  for (size_t i = 0; i < bytes / 4; i++) input[i] = (uint32_t)(i + seed) * 2654435761u ^ (uint32_t)(i >> 7);
  enter(from);
  CHECK(cuMemcpyAsync(side[from].memory, (CUdeviceptr)input, bytes, side[from].stream));
  sync(from);
  enter(to);
  CHECK(cuMemsetD8Async(side[to].memory, seed, LARGEST, side[to].stream));
  sync(to);
  enter(current);
  run();
  enter(to);
  CHECK(cuMemcpyAsync((CUdeviceptr)output, side[to].memory, bytes, side[to].stream));
  sync(to);
  if (memcmp(input, output, bytes) != 0) {
    fprintf(stderr, "%zu bytes from GPU %d: expected equal bytes, got others\n", bytes, from);
    exit(1);
  }
  enter(current);
}

static void route(const char *name, void (*run)(void), int current) {
  double samples[200];
  int runs = bytes > (size_t)1 << 24 ? 30 : 200;
  verify(run, current);
  for (int i = 0; i < runs / 10 + 1; i++) run();
  for (int i = 0; i < runs; i++) {
    double start = now();
    run();
    samples[i] = now() - start;
  }
  verify(run, current);
  print(name, bytes, samples, runs);
}

static void copies(const char *kind) {
  static const int logs[] = {10, 14, 18, 20, 22, 24, 26, 28};
  for (from = 0; from < 2; from++) {
    char name[64];
    to = 1 - from;
    sprintf(name, "%scopy from GPU %d to GPU %d", kind, from, to);
    for (int i = 0; i < 8; i++) {
      bytes = (size_t)1 << logs[i];
      route(name, copy, from);
    }
  }
}

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "expected a PTX file\n");
    return 1;
  }
  CHECK(cuInit(0));
  for (int i = 0; i < 2; i++) {
    CHECK(cuDeviceGet(&side[i].device, i));
    CHECK(cuDevicePrimaryCtxRetain(&side[i].context, side[i].device));
    enter(i);
    CHECK(cuStreamCreate(&side[i].stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuMemAlloc(&side[i].memory, LARGEST));
    side[i].copy_words = load(arguments[1], "copy_words");
  }
  enter(0);
  CHECK(cuMemHostAlloc((void **)&input, LARGEST, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
  CHECK(cuMemHostAlloc((void **)&output, LARGEST, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
  CHECK(cuDeviceGetAttribute(&blocks, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, side[0].device));
  blocks *= 8;

  copies("before peer access: ");
  for (int i = 0; i < 2; i++) {
    enter(i);
    CHECK(cuCtxEnablePeerAccess(side[1 - i].context, 0));
  }
  copies("");
  bytes = (size_t)1 << 26;
  from = 0, to = 1;
  route("kernel of GPU 0, write of GPU 1", kernel, 0);
  from = 1, to = 0;
  route("kernel of GPU 0, read of GPU 1", kernel, 0);
  for (int i = 0; i < 2; i++) {
    enter(i);
    CHECK(cuCtxDisablePeerAccess(side[1 - i].context));
  }
  return 0;
}
