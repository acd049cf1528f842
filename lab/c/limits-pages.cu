// What bounds copies of random pages, by kernels that do nothing else: threads a page and words a thread, pages by bulk
// copies through shared memory, entries read ahead, stores at whole lines. nvcc -O3 -std=c++17 -arch=sm_90
// limits-pages.cu -o limits-pages; limits-pages [device|short|host]; limits-pages count LENGTH KERNEL runs one launch
// for ncu.
#include "limits.cuh"
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>

struct pages {
  const char *source;
  char *target;
  const uint32_t *from, *to;
  uint32_t count, bytes;
};

__device__ inline uint4 load(const void *at) {
  uint4 v;
  asm volatile("ld.global.nc.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at));
  return v;
}

// T threads a page, U words of 16 bytes in flight each; AHEAD: a grid that stays, and reads the next entries early.
template <int T, int U, bool AHEAD> __global__ void __launch_bounds__(256) threads_a_page(pages p) {
  const uint32_t words = p.bytes / 16, pieces = (words + T * U - 1) / (T * U), lane = threadIdx.x % T;
  const uint32_t step = gridDim.x * (256 / T), all = p.count * pieces;
  uint32_t item = (blockIdx.x * 256 + threadIdx.x) / T;
  if (item >= all) return;
  uint32_t from = p.from[item / pieces], to = p.to[item / pieces];
  for (;;) {
    const uint4 *in = (const uint4 *)(p.source + (size_t)from * p.bytes);
    uint4 *out = (uint4 *)(p.target + (size_t)to * p.bytes);
    const uint32_t first = (item % pieces) * T * U + lane;
    const uint32_t next = item + step;
    if (AHEAD && next < all) from = p.from[next / pieces], to = p.to[next / pieces];
    uint4 held[U];
#pragma unroll
    for (int u = 0; u < U; u++) held[u] = load(in + min(first + u * T, words - 1));
#pragma unroll
    for (int u = 0; u < U; u++)
      if (first + u * T < words) out[first + u * T] = held[u];
    if (next >= all) return;
    item = next;
    if (!AHEAD) from = p.from[item / pieces], to = p.to[item / pieces];
  }
}

// A warp a page whose stores begin at whole lines of 128 bytes.
template <int U> __global__ void __launch_bounds__(256) whole_lines(pages p) {
  const uint32_t page = (blockIdx.x * 256 + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (page >= p.count) return;
  const char *in = p.source + (size_t)p.from[page] * p.bytes;
  char *out = p.target + (size_t)p.to[page] * p.bytes;
  const int words = p.bytes / 16, ahead = (int)((uintptr_t)out / 16 % 8);
  for (int first = (int)lane - ahead; first < words; first += 32 * U) {
    uint4 held[U];
#pragma unroll
    for (int u = 0; u < U; u++) held[u] = load(in + 16 * (int64_t)max(0, min(first + 32 * u, words - 1)));
#pragma unroll
    for (int u = 0; u < U; u++)
      if (first + 32 * u >= 0 && first + 32 * u < words) *(uint4 *)(out + 16 * (first + 32 * u)) = held[u];
  }
}

// A thread a word, whichever page it is of: no thread idles where pages have 9 words.
__global__ void __launch_bounds__(256) thread_a_word(pages p) {
  const uint32_t words = p.bytes / 16, i = blockIdx.x * 256 + threadIdx.x, page = i / words;
  if (page >= p.count) return;
  const uint32_t word = i - page * words;
  const uint4 held = load((const uint4 *)(p.source + (size_t)p.from[page] * p.bytes) + word);
  ((uint4 *)(p.target + (size_t)p.to[page] * p.bytes))[word] = held;
}

// 16 threads a page, a word each, whose loads or stores leave L2 first.
template <bool LOADS, bool STORES> __global__ void __launch_bounds__(256) leaving_first(pages p) {
  const uint32_t page = (blockIdx.x * 256 + threadIdx.x) / 16;
  if (page >= p.count) return;
  const uint4 *in = (const uint4 *)(p.source + (size_t)p.from[page] * p.bytes);
  uint4 *out = (uint4 *)(p.target + (size_t)p.to[page] * p.bytes);
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  for (uint32_t i = threadIdx.x % 16; i < p.bytes / 16; i += 16) {
    uint4 v;
    if (LOADS)
      asm volatile("ld.global.nc.L2::cache_hint.v4.u32 {%0,%1,%2,%3},[%4],%5;"
                   : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                   : "l"(in + i), "l"(policy));
    else v = load(in + i);
    if (STORES)
      asm volatile("st.global.L2::cache_hint.v4.u32 [%0],{%1,%2,%3,%4},%5;" ::"l"(out + i), "r"(v.x), "r"(v.y),
                   "r"(v.z), "r"(v.w), "l"(policy)
                   : "memory");
    else out[i] = v;
  }
}

// A thread keeps S pages in flight through shared memory by bulk copies.
template <int S> __global__ void __launch_bounds__(32) bulk(pages p) {
  extern __shared__ __align__(128) char room[];
  __shared__ __align__(8) uint64_t full[S];
  if (threadIdx.x != 0) return;
  const uint32_t stage = (p.bytes + 127) / 128 * 128;
  auto at = [&](int s) { return (uint32_t)__cvta_generic_to_shared(room + s * stage); };
  auto bar = [&](int s) { return (uint32_t)__cvta_generic_to_shared(full + s); };
  for (int s = 0; s < S; s++) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar(s)));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  auto read = [&](uint32_t page, int s) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar(s)), "r"(p.bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(s)),
                 "l"(p.source + (size_t)p.from[page] * p.bytes), "r"(p.bytes), "r"(bar(s))
                 : "memory");
  };
  uint32_t reading = blockIdx.x, writing = blockIdx.x, n = 0;
  for (int s = 0; s < S && reading < p.count; s++, reading += gridDim.x) read(reading, s);
  for (; writing < p.count; writing += gridDim.x, n++) {
    const int s = n % S;
    const uint32_t phase = n / S & 1;
    asm volatile("{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n}" ::"r"(bar(s)),
                 "r"(phase)
                 : "memory");
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(p.target + (size_t)p.to[writing] * p.bytes),
        "r"(at(s)), "r"(p.bytes)
        : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    if (reading < p.count) {
      // The stage that the write before has left: one write stays in flight.
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      read(reading, s);
      reading += gridDim.x;
    }
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

struct way {
  std::string name;
  std::function<void(const pages &)> run;
};

template <int T, int U, bool AHEAD = false> way shared_way(int blocks = 0) {
  std::string name = std::to_string(T) + " threads x " + std::to_string(U) + (AHEAD ? ", entries ahead" : "");
  if (blocks) name += ", " + std::to_string(blocks) + " blocks";
  return {name, [=](const pages &p) {
            const uint32_t pieces = (p.bytes / 16 + T * U - 1) / (T * U);
            const uint32_t all = (p.count * pieces + 256 / T - 1) / (256 / T);
            const uint32_t most = blocks ? blocks : AHEAD ? 132 * 8 : all;
            threads_a_page<T, U, AHEAD><<<std::min(all, most), 256>>>(p);
          }};
}
template <int S> way bulk_way(int blocks) {
  return {"bulk, " + std::to_string(S) + " stages, " + std::to_string(blocks) + " blocks", [=](const pages &p) {
            const int room = S * ((p.bytes + 127) / 128 * 128);
            CHECK(cudaFuncSetAttribute(bulk<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
            bulk<S><<<std::min<uint32_t>(p.count, blocks), 32, room>>>(p);
          }};
}
template <bool LOADS, bool STORES> way leaving_way() {
  return {std::string(LOADS ? "loads" : "") + (LOADS && STORES ? " and " : "") + (STORES ? "stores" : "") + " leave L2",
          [](const pages &p) { leaving_first<LOADS, STORES><<<(p.count + 15) / 16, 256>>>(p); }};
}
static way word_way() {
  return {"a thread a word", [](const pages &p) { thread_a_word<<<(p.count * (p.bytes / 16) + 255) / 256, 256>>>(p); }};
}
template <int U> way lines_way() {
  return {"whole lines x " + std::to_string(U), [](const pages &p) { whole_lines<U><<<(p.count + 7) / 8, 256>>>(p); }};
}

static std::mt19937_64 draw(27);
static std::vector<uint32_t> entries(uint32_t count, uint32_t slots) {
  std::vector<uint32_t> all(slots);
  std::iota(all.begin(), all.end(), 0u);
  for (uint32_t i = 0; i < count; i++) std::swap(all[i], all[i + draw() % (slots - i)]);
  all.resize(count);
  return all;
}

static pages cell(char *source, char *target, size_t pool, uint32_t bytes, size_t total) {
  const uint32_t count = (uint32_t)std::min<size_t>(120000, total / bytes), slots = (uint32_t)(pool / bytes);
  uint32_t *tables;
  CHECK(cudaMalloc(&tables, 8 * (size_t)count));
  const auto from = entries(count, slots), to = entries(count, slots);
  CHECK(cudaMemcpy(tables, from.data(), 4 * (size_t)count, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(tables + count, to.data(), 4 * (size_t)count, cudaMemcpyHostToDevice));
  return {source, target, tables, tables + count, count, bytes};
}

static bool right(const pages &p) {
  std::vector<uint32_t> from(p.count), to(p.count);
  std::vector<char> a(p.bytes), b(p.bytes);
  CHECK(cudaMemcpy(from.data(), p.from, 4 * (size_t)p.count, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(to.data(), p.to, 4 * (size_t)p.count, cudaMemcpyDeviceToHost));
  for (uint32_t k = 0; k < p.count; k += std::max(1u, p.count / 500)) {
    CHECK(cudaMemcpy(a.data(), p.source + (size_t)from[k] * p.bytes, p.bytes, cudaMemcpyDefault));
    CHECK(cudaMemcpy(b.data(), p.target + (size_t)to[k] * p.bytes, p.bytes, cudaMemcpyDefault));
    if (a != b) return false;
  }
  return true;
}

static void measure(const std::string &route, const pages &p, char *plain_from, char *plain_to,
                    const std::vector<way> &ways) {
  const size_t bytes = (size_t)p.count * p.bytes;
  workload = route + ", " + std::to_string(p.count) + " x " + std::to_string(p.bytes) + " B";
  timed("copy", bytes, [&] { CHECK(cudaMemcpyAsync(plain_to, plain_from, bytes, cudaMemcpyDefault)); });
  for (const way &each : ways) {
    CHECK(cudaMemset(p.target, 0xee, 1 << 20));
    timed(each.name, bytes, [&] { each.run(p); });
    require(right(p), each.name);
  }
  CHECK(cudaFree((void *)p.from));
}

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "device";
  const size_t pool = what == "host" ? (size_t)1 << 30 : (size_t)4 << 30, room = (size_t)1 << 28;
  char *source, *target, *here;
  CHECK(cudaMalloc(&source, pool));
  CHECK(cudaMalloc(&target, pool));
  // By copies: the profiler counts kernels.
  std::vector<uint32_t> noise(1 << 24);
  for (uint32_t i = 0; i < noise.size(); i++) noise[i] = word_at(i);
  for (size_t at = 0; at < pool; at += 1 << 26)
    CHECK(cudaMemcpy(source + at, noise.data(), 1 << 26, cudaMemcpyDefault));
  const std::vector<way> ways = {
      shared_way<4, 1>(),        shared_way<8, 1>(),  shared_way<16, 1>(),  shared_way<16, 2>(),
      shared_way<32, 1>(),       shared_way<32, 2>(), shared_way<32, 4>(),  shared_way<32, 6>(),
      shared_way<32, 7>(),       shared_way<64, 2>(), shared_way<256, 1>(), shared_way<16, 1, true>(),
      shared_way<32, 2, true>(), lines_way<1>(),      lines_way<2>(),       lines_way<4>(),
      bulk_way<4>(132 * 8),      bulk_way<8>(132 * 8)};
  if (what == "count") {
    // One launch of one way, on pages of a length, 64 MiB of them or 120,000.
    const pages p = cell(source, target, pool, (uint32_t)atoi(argv[2]), (size_t)1 << 26);
    for (const way &each : ways)
      if (each.name == argv[3]) each.run(p);
    if (strcmp(argv[3], "copy") == 0)
      threads_a_page<256, 1, false><<<(1 << 26) / 4096, 256>>>(cell(source, target, pool, 65536, (size_t)1 << 26));
    CHECK(cudaDeviceSynchronize());
    return 0;
  }
  wake();
  if (what == "short") {
    // Short pages by half as many as fit L2 and as many, with the granularity of its fetches that a process starts with
    // and the least.
    const std::vector<way> some = {shared_way<8, 1>(),         shared_way<16, 1>(),        word_way(),
                                   leaving_way<true, false>(), leaving_way<false, true>(), leaving_way<true, true>()};
    size_t usual;
    CHECK(cudaDeviceGetLimit(&usual, cudaLimitMaxL2FetchGranularity));
    for (size_t least : {usual, (size_t)32})
      with_fetches(least, [&](const std::string &fetches) {
        for (uint32_t bytes : {128u, 144u, 512u})
          for (size_t total : {(size_t)1 << 22, (size_t)1 << 23, (size_t)1 << 24})
            measure("device, " + fetches, cell(source, target, pool, bytes, total), source, target, some);
      });
    return 0;
  }
  if (what == "device") {
    for (uint32_t bytes : {128u, 144u, 512u, 656u, 1040u, 2048u, 3088u, 9232u})
      for (size_t total : {(size_t)1 << 24, (size_t)1 << 26, room}) {
        if (bytes * (size_t)120000 < total / 2) continue;
        measure("device", cell(source, target, pool, bytes, total), source, target, ways);
      }
    return 0;
  }
  CHECK(cudaMallocHost(&here, pool));
  CHECK(cudaMemcpy(here, source, pool, cudaMemcpyDefault));
  const std::vector<way> on_bus = {shared_way<32, 1>(),
                                   shared_way<32, 2>(),
                                   shared_way<32, 4>(),
                                   shared_way<32, 6>(),
                                   shared_way<256, 1>(),
                                   shared_way<256, 2>(),
                                   shared_way<32, 4>(32),
                                   shared_way<32, 4>(64),
                                   shared_way<32, 4>(132),
                                   shared_way<32, 4>(264),
                                   shared_way<32, 4>(528),
                                   shared_way<32, 4, true>(132),
                                   shared_way<32, 4, true>(528),
                                   lines_way<4>(),
                                   bulk_way<4>(33),
                                   bulk_way<4>(132),
                                   bulk_way<8>(132),
                                   bulk_way<4>(528)};
  for (uint32_t bytes : {2048u, 8192u})
    for (size_t total : {(size_t)1 << 24, (size_t)1 << 26}) {
      measure("to the host", cell(source, here, pool, bytes, total), source, here, on_bus);
      measure("from the host", cell(here, target, pool, bytes, total), here, target, on_bus);
    }
}
