// Hopper's bulk copies (PTX ISA 9.7.9.25, cp.async.bulk and cp.async.bulk.tensor) beside a kernel of 16-byte words,
// each on 1 to all multiprocessors: nvcc -arch=sm_90 -std=c++17 -O3 strided-bulk.cu -o bulk && ./bulk RESULT.json
#include "check.cuh"
#include <cuda.h>
#include <cudaTypedefs.h>
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

typedef unsigned long long u64;

// Rows of rowBytes, `rows` of them pitchBytes apart, in `planes` planes planeBytes apart; rowBytes and rows are powers
// of two.
struct Geometry {
  const char *name;
  u64 rowBytes, rows, pitchBytes, planes, planeBytes;
  int rowShift = 0, rowsShift = 0;
  __host__ __device__ u64 bytes() const { return rowBytes * rows * planes; }
  __host__ __device__ u64 place(u64 packed) const {
    u64 row = packed >> rowShift;
    return (packed & (rowBytes - 1)) + (row & (rows - 1)) * pitchBytes + (row >> rowsShift) * planeBytes;
  }
};

__host__ __device__ unsigned wordAt(u64 i) {
  unsigned mixed = (unsigned)i * 2654435761u;
  return mixed ^ (mixed >> 15);
}
__global__ void fill(unsigned *words, u64 count) {
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
    words[i] = wordAt(i);
}
// Words of one side that differ from what the other side's pattern puts there.
__global__ void countWrong(Geometry g, const unsigned *packed, const unsigned *scattered, bool unpacked,
                           unsigned *wrong) {
  u64 words = g.bytes() / 4;
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < words; i += (u64)gridDim.x * blockDim.x) {
    u64 at = g.place(i * 4) / 4;
    if (unpacked ? scattered[at] != wordAt(i) : packed[i] != wordAt(at)) atomicAdd(wrong, 1);
  }
}

// The kernel of 16-byte words: four in flight a thread, blocks striding over the packed stream.
__global__ void __launch_bounds__(1024) words(Geometry g, char *packed, char *scattered, bool unpacks) {
  const u64 count = g.bytes() / 16, step = (u64)gridDim.x * blockDim.x;
  for (u64 first = blockIdx.x * (u64)blockDim.x + threadIdx.x; first < count; first += 4 * step) {
    uint4 held[4];
    u64 place[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
      const u64 word = min(first + i * step, count - 1);
      place[i] = g.place(word * 16);
      held[i] = __ldg((const uint4 *)(unpacks ? packed + word * 16 : scattered + place[i]));
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
      if (first + i * step < count)
        *(uint4 *)(unpacks ? scattered + place[i] : packed + (first + i * step) * 16) = held[i];
  }
}

__device__ unsigned shared32(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void expectBytes(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ void waitFor(unsigned barrier, unsigned phase) {
  asm volatile(
      "{ .reg .pred p;\nagain: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again; }" ::"r"(barrier),
      "r"(phase)
      : "memory");
}
__device__ void bulkLoad(unsigned to, const void *from, unsigned bytes, unsigned barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}
__device__ void bulkStore(void *to, unsigned from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(bytes)
               : "memory");
}

constexpr int STAGES = 6;
constexpr unsigned TILE = 32768;

// One warp a block; TILE bytes of the packed stream in turn, STAGES of them under way. The scattered side moves by
// boxes of a tensor map (TENSOR), or a bulk copy a row.
template <bool TENSOR>
__global__ void bulk(Geometry g, char *packed, char *scattered, bool unpacks, const __grid_constant__ CUtensorMap map,
                     unsigned boxPlaces, unsigned innerPlaces) {
  extern __shared__ __align__(1024) char stages[];
  __shared__ __align__(8) u64 barriers[STAGES];
  const unsigned lane = threadIdx.x, tiles = g.bytes() / TILE, own = (tiles - blockIdx.x + gridDim.x - 1) / gridDim.x;
  if (lane == 0) {
    for (int i = 0; i < STAGES; i++) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared32(barriers + i)));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncwarp();
  auto load = [&](unsigned i) {
    const unsigned stage = i % STAGES, to = shared32(stages) + stage * TILE, barrier = shared32(barriers + stage);
    const u64 tile = blockIdx.x + (u64)i * gridDim.x;
    if (lane == 0) expectBytes(barrier, TILE);
    __syncwarp();
    if (unpacks) {
      if (lane == 0) bulkLoad(to, packed + tile * TILE, TILE, barrier);
    } else if (TENSOR) {
      const int y = (int)(tile * boxPlaces % innerPlaces), z = (int)(tile * boxPlaces / innerPlaces);
      if (lane == 0)
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, "
                     "%4}], [%5];" ::"r"(to),
                     "l"(&map), "r"(0), "r"(y), "r"(z), "r"(barrier)
                     : "memory");
    } else
      for (unsigned at = lane * g.rowBytes; at < TILE; at += 32 * g.rowBytes)
        bulkLoad(to + at, scattered + g.place(tile * TILE + at), g.rowBytes, barrier);
  };
  auto store = [&](unsigned i) {
    const unsigned stage = i % STAGES, from = shared32(stages) + stage * TILE;
    const u64 tile = blockIdx.x + (u64)i * gridDim.x;
    if (!unpacks) {
      if (lane == 0) bulkStore(packed + tile * TILE, from, TILE);
    } else if (TENSOR) {
      const int y = (int)(tile * boxPlaces % innerPlaces), z = (int)(tile * boxPlaces / innerPlaces);
      if (lane == 0)
        asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&map),
                     "r"(0), "r"(y), "r"(z), "r"(from)
                     : "memory");
    } else
      for (unsigned at = lane * g.rowBytes; at < TILE; at += 32 * g.rowBytes)
        bulkStore(scattered + g.place(tile * TILE + at), from + at, g.rowBytes);
    asm volatile("cp.async.bulk.commit_group;");
  };
  for (unsigned i = 0; i < min(own, STAGES - 1); i++) load(i);
  for (unsigned i = 0; i < own; i++) {
    waitFor(shared32(barriers + i % STAGES), i / STAGES & 1);
    store(i);
    // The stage before this one is free once its store has read it.
    if (i + STAGES - 1 < own) {
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
      __syncwarp();
      load(i + STAGES - 1);
    }
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

struct Contender {
  std::string name;
  std::function<void()> run;
  std::vector<double> ns;
};
static cudaStream_t stream;
static FILE *result;
static bool isFirst = true;

static double now() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static CUtensorMap mapOf(const Geometry &g, char *scattered, unsigned *boxPlaces, unsigned *innerPlaces) {
  static PFN_cuTensorMapEncodeTiled_v12000 encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  if (!encode)
    CHECK(
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found));
  // Rows past 256 elements are cut: their parts are the map's second dimension, and the rows its third.
  const bool cut = g.rowBytes > 2048;
  const cuuint64_t element = std::min<u64>(g.rowBytes / 8, 256);
  const cuuint64_t inner = cut ? g.rowBytes / 2048 : g.rows, outer = cut ? g.rows : g.planes;
  const cuuint64_t sizes[3] = {element, inner, outer},
                   strides[2] = {cut ? 2048 : g.pitchBytes, cut ? g.pitchBytes : g.planeBytes};
  const cuuint32_t places = TILE / (element * 8),
                   box[3] = {(cuuint32_t)element, (cuuint32_t)std::min<u64>(places, std::min<u64>(inner, 256)),
                             (cuuint32_t)(places / std::min<u64>(places, std::min<u64>(inner, 256)))};
  const cuuint32_t steps[3] = {1, 1, 1};
  CUtensorMap map;
  CUresult made = encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 3, scattered, sizes, strides, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (made != CUDA_SUCCESS || (u64)box[0] * box[1] * box[2] * 8 != TILE) {
    fprintf(stderr, "tensor map of %s: expected success and boxes of %u B, got %d and %llu\n", g.name, TILE, (int)made,
            (u64)box[0] * box[1] * box[2] * 8);
    exit(1);
  }
  *boxPlaces = places;
  *innerPlaces = (unsigned)inner;
  return map;
}

static void race(const Geometry &g, bool unpacks, bool toHost, char *packed, char *scattered, unsigned *wrong,
                 const std::vector<int> &budgets) {
  std::vector<Contender> contenders;
  unsigned boxPlaces, innerPlaces;
  const CUtensorMap map = mapOf(g, scattered, &boxPlaces, &innerPlaces);
  for (int blocks : budgets) {
    auto name = [&](const char *kind) { return std::string(kind) + ", " + std::to_string(blocks) + " SMs"; };
    contenders.push_back({name("kernel of 16-byte words"),
                          [=] {
                            words<<<blocks == 132 ? (unsigned)(g.bytes() / 65536) : blocks, 1024, 0, stream>>>(
                                g, packed, scattered, unpacks);
                          },
                          {}});
    contenders.push_back({name("bulk tensor copies"),
                          [=] {
                            bulk<true><<<blocks, 32, STAGES * TILE, stream>>>(g, packed, scattered, unpacks, map,
                                                                              boxPlaces, innerPlaces);
                          },
                          {}});
    contenders.push_back({name("bulk copies of rows"),
                          [=] {
                            bulk<false><<<blocks, 32, STAGES * TILE, stream>>>(g, packed, scattered, unpacks, map,
                                                                               boxPlaces, innerPlaces);
                          },
                          {}});
  }
  for (auto &contender : contenders) {
    const u64 reach = g.place(g.bytes() - 1) + 1;
    if (unpacks) CHECK(cudaMemsetAsync(scattered, 0, reach, stream));
    else CHECK(cudaMemsetAsync(packed, 0, g.bytes(), stream));
    fill<<<1024, 256, 0, stream>>>((unsigned *)(unpacks ? packed : scattered), (unpacks ? g.bytes() : reach) / 4);
    contender.run();
    CHECK(cudaMemsetAsync(wrong, 0, 4, stream));
    countWrong<<<1024, 256, 0, stream>>>(g, (unsigned *)packed, (unsigned *)scattered, unpacks, wrong);
    unsigned found = 1;
    CHECK(cudaMemcpyAsync(&found, wrong, 4, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (found) contender.name += " WRONG";
  }
  for (int round = -1; round < 7; round++)
    for (auto &contender : contenders)
      for (int call = 0; call < 3; call++) {
        const double start = now();
        contender.run();
        CHECK(cudaStreamSynchronize(stream));
        if (round >= 0 && call > 0) contender.ns.push_back(now() - start);
      }
  for (auto &[name, run, ns] : contenders) {
    std::sort(ns.begin(), ns.end());
    const bool right = name.find("WRONG") == std::string::npos;
    printf("%-40s %-6s %-8s %-34s %9.2f us\n", g.name, unpacks ? "unpack" : "pack", toHost ? "one-shot" : "device",
           name.c_str(), ns[ns.size() / 2] / 1e3);
    if (right)
      fprintf(
          result,
          "%s\n  "
          "{\"workload\":\"%s\",\"count\":1,\"packedBytes\":%llu,\"direction\":\"%s\",\"route\":\"%s\",\"contender\":"
          "\"%s\",\"medianNs\":%.0f,\"minNs\":%.0f,\"maxNs\":%.0f,\"runs\":%zu,\"verified\":true,\"commitNs\":0}",
          isFirst ? "" : ",", g.name, g.bytes(), unpacks ? "unpack" : "pack", toHost ? "one-shot" : "device",
          name.c_str(), ns[ns.size() / 2], ns.front(), ns.back(), ns.size());
    isFirst = isFirst && !right;
  }
}

int main(int argc, char **argv) {
  const u64 MIB = 1 << 20;
  Geometry geometries[] = {
      {"rows of 128 B, pitch 512", 128, 64 * MIB / 128, 512, 1, 256 * MIB},
      {"rows of 512 B, pitch 1024", 512, 64 * MIB / 512, 1024, 1, 256 * MIB},
      {"rows of 4096 B, pitch 8192", 4096, 64 * MIB / 4096, 8192, 1, 256 * MIB},
      {"planes of 64 rows of 512 B, pitch 1024", 512, 64, 1024, 2048, 128 * 1024},
      {"rows of 32 B, pitch 512", 32, 256, 512, 8192, 128 * 1024},
      {"rows of 16 B, pitch 512", 16, 256, 512, 16384, 128 * 1024},
  };
  for (auto &g : geometries) {
    while (1ull << g.rowShift < g.rowBytes) g.rowShift++;
    while (1ull << g.rowsShift < g.rows) g.rowsShift++;
  }
  result = fopen(argc > 1 ? argv[1] : "bulk.json", "w");
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  int driver;
  CHECK(cudaDriverGetVersion(&driver));
  time_t seconds = time(nullptr);
  char date[32];
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
  const char *commit = getenv("STOWAGE_COMMIT");
  fprintf(
      result,
      "{\"schema\":\"stowage-results/1\",\"command\":\"nvcc -arch=sm_90 -std=c++17 -O3 "
      "lab/c/strided-bulk.cu -o bulk && ./bulk "
      "RESULT\",\"date\":\"%s\",\"commit\":\"%s\",\"machine\":{\"gpu\":\"%s\",\"driver\":\"CUDA %d.%d\"},\"rows\":[",
      date, commit ? commit : "", device.name, driver / 1000, driver % 1000 / 10);
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaFuncSetAttribute(bulk<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * TILE));
  CHECK(cudaFuncSetAttribute(bulk<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * TILE));
  char *scattered, *packed, *pinned;
  unsigned *wrong;
  CHECK(cudaMalloc(&scattered, 2049 * MIB));
  CHECK(cudaMalloc(&packed, 64 * MIB));
  CHECK(cudaMallocHost(&pinned, 64 * MIB));
  CHECK(cudaMalloc(&wrong, 4));
  for (const auto &g : geometries)
    for (bool unpacks : {false, true}) race(g, unpacks, false, packed, scattered, wrong, {1, 2, 4, 8, 16, 132});
  for (const auto &g : {geometries[0], geometries[1], geometries[2]})
    for (bool unpacks : {false, true}) race(g, unpacks, true, pinned, scattered, wrong, {1, 2, 4, 132});
  fprintf(result, "\n]}\n");
  fclose(result);
}
