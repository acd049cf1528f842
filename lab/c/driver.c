// The C side of parts/driver-calls.mjs: the same calls in the same order, the same JSON lines.
// gcc -O2 -I CUDA/include driver.c -o driver -lcuda; driver FILE.ptx
#include "cuda-calls.h"

static const size_t MIB = 1 << 20;
static CUstream stream;
static CUevent event;
static CUfunction nothing, copy_words;
static CUgraphExec executable;
static int kernels;

static void sync(void) { CHECK(cuStreamSynchronize(stream)); }
static void none(void) {}

static void measure(const char *name, size_t bytes, int runs, void (*run)(void), int each, void (*settle)(void)) {
  double samples[1000];
  for (int i = 0; i < runs / 10 + 1; i++) run();
  settle();
  for (int i = 0; i < runs; i++) {
    double start = now();
    for (int j = 0; j < each; j++) run();
    samples[i] = (now() - start) / each;
    settle();
  }
  print(name, bytes, samples, runs);
}

static void launch(void) {
  unsigned long long unused = 0;
  void *parameters[] = {&unused};
  CHECK(cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, stream, parameters, NULL));
}
static void launch_sync(void) {
  launch();
  sync();
}
static void record(void) { CHECK(cuEventRecord(event, stream)); }
static void query(void) { cuEventQuery(event); }
static void launch_poll(void) {
  launch();
  record();
  while (cuEventQuery(event) == CUDA_ERROR_NOT_READY) {
  }
}
static void graph_sync(void) {
  CHECK(cuGraphLaunch(executable, stream));
  sync();
}
static void launches_sync(void) {
  for (int i = 0; i < kernels; i++) launch();
  sync();
}

static CUdeviceptr to, from;
static size_t size;
static void copy(void) {
  CHECK(cuMemcpyAsync(to, from, size, stream));
  sync();
}
static CUDA_MEMCPY2D plane;
static void copy2d(void) {
  CHECK(cuMemcpy2DAsync(&plane, stream));
  sync();
}
static CUDA_MEMCPY3D cube;
static void copy3d(void) {
  CHECK(cuMemcpy3DAsync(&cube, stream));
  sync();
}
static CUdeviceptr targets[1000], sources[1000];
static size_t sizes[1000], index0;
static CUmemcpyAttributes attributes;
static void batch(void) {
  CHECK(cuMemcpyBatchAsync(targets, sources, sizes, 1000, &attributes, &index0, 1, stream));
  sync();
}
static int blocks;
static void mapped(void) {
  unsigned long long words = size / 16;
  void *parameters[] = {&to, &from, &words};
  CHECK(cuLaunchKernel(copy_words, blocks, 1, 1, 256, 1, 1, 0, stream, parameters, NULL));
  sync();
}

static void route(const char *name, size_t bytes, void (*run)(void), int runs) {
  measure(name, bytes, runs, run, 1, none);
}
static int runs_for(size_t bytes) { return bytes > MIB ? 60 : 300; }

int main(int count, char **arguments) {
  (void)count;
  double started = now();
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  nothing = load(arguments[1], "nothing");
  launch_sync();
  double first = now() - started;
  print("driver load and first kernel", 0, &first, 1);
  copy_words = load(arguments[1], "copy_words");
  CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));

  measure("stream sync, idle", 0, 500, sync, 1, none);
  measure("launch", 0, 200, launch, 50, sync);
  measure("launch + sync", 0, 1000, launch_sync, 1, none);
  measure("event record", 0, 200, record, 50, sync);
  measure("event query", 0, 200, query, 50, sync);
  measure("launch + record + poll", 0, 1000, launch_poll, 1, none);
  int counts[] = {1, 26};
  for (int c = 0; c < 2; c++) {
    char name[64];
    CUgraph graph;
    kernels = counts[c];
    CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    for (int i = 0; i < kernels; i++) launch();
    CHECK(cuStreamEndCapture(stream, &graph));
    CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0));
    sprintf(name, "graph of %d kernels + sync", kernels);
    measure(name, 0, 500, graph_sync, 1, none);
    sprintf(name, "%d launches + sync", kernels);
    measure(name, 0, 300, launches_sync, 1, none);
  }

  CUdeviceptr a, b;
  void *host;
  CHECK(cuMemAlloc(&a, 256 * MIB));
  CHECK(cuMemAlloc(&b, 256 * MIB));
  CHECK(cuMemHostAlloc(&host, 64 * MIB, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
  CHECK(cuMemsetD8Async(a, 7, 256 * MIB, stream));
  memset(host, 9, 64 * MIB);
  size_t lengths[] = {8, MIB, 64 * MIB, 256 * MIB};
  for (int i = 0; i < 4; i++) {
    size = lengths[i];
    from = a, to = b;
    route("copy device to device", size, copy, runs_for(size));
    if (size > 64 * MIB) continue;
    from = a, to = (CUdeviceptr)host;
    route("copy device to pinned", size, copy, runs_for(size));
    from = (CUdeviceptr)host, to = b;
    route("copy pinned to device", size, copy, runs_for(size));
  }
  size_t widths[] = {8, 32, 128, 512};
  for (int i = 0; i < 4; i++) {
    char name[64];
    size_t width = widths[i], rows = 16 * MIB / width < 65536 ? 16 * MIB / width : 65536, bytes = width * rows;
    memset(&plane, 0, sizeof plane);
    plane.srcMemoryType = CU_MEMORYTYPE_DEVICE, plane.srcDevice = a, plane.srcPitch = 1024;
    plane.dstMemoryType = CU_MEMORYTYPE_DEVICE, plane.dstDevice = b, plane.dstPitch = width;
    plane.WidthInBytes = width, plane.Height = rows;
    sprintf(name, "2D of %zu B to device", width);
    route(name, bytes, copy2d, runs_for(bytes));
    plane.dstMemoryType = CU_MEMORYTYPE_HOST, plane.dstHost = host, plane.dstDevice = 0;
    sprintf(name, "2D of %zu B to pinned", width);
    route(name, bytes, copy2d, runs_for(bytes));
    memset(&cube, 0, sizeof cube);
    cube.srcMemoryType = CU_MEMORYTYPE_DEVICE, cube.srcDevice = a, cube.srcPitch = 1024, cube.srcHeight = rows / 64;
    cube.dstMemoryType = CU_MEMORYTYPE_DEVICE, cube.dstDevice = b, cube.dstPitch = width, cube.dstHeight = rows / 64;
    cube.WidthInBytes = width, cube.Height = rows / 64, cube.Depth = 64;
    sprintf(name, "3D of %zu B to device", width);
    route(name, bytes, copy3d, runs_for(bytes));
  }
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  for (int host_side = 0; host_side < 2; host_side++) {
    for (int i = 0; i < 1000; i++) {
      targets[i] = (host_side ? (CUdeviceptr)host : b) + i * 512;
      sources[i] = a + i * 4096;
      sizes[i] = 512;
    }
    route(host_side ? "batch of 1000 to pinned" : "batch of 1000 to device", 512000, batch, 60);
  }
  size = 64 * MIB, from = a, to = (CUdeviceptr)host;
  int grids[] = {1, 4, 132};
  for (int i = 0; i < 3; i++) {
    char name[64];
    blocks = grids[i];
    sprintf(name, "mapped write by %d blocks", blocks);
    route(name, size, mapped, 30);
  }
  return 0;
}
