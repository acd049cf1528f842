// What single sectors cost: 4,194,304 floats gathered by index with every load that CUDA has, and random sectors of L2
// without a table or a store; a halo of 512^3 floats by hand, its six faces alone. nvcc -O3 -std=c++17 -arch=sm_90
#include "limits.cuh"
#include <numeric>
#include <random>

template <int H> __device__ inline float ld(const float *p) {
  float v;
  if (H == 0) asm volatile("ld.global.f32 %0,[%1];" : "=f"(v) : "l"(p));
  if (H == 1) asm volatile("ld.global.nc.f32 %0,[%1];" : "=f"(v) : "l"(p));
  if (H == 2) asm volatile("ld.global.cg.f32 %0,[%1];" : "=f"(v) : "l"(p));
  if (H == 3) asm volatile("ld.global.nc.L1::no_allocate.f32 %0,[%1];" : "=f"(v) : "l"(p));
  if (H == 4) asm volatile("ld.global.L1::evict_first.f32 %0,[%1];" : "=f"(v) : "l"(p));
  if (H == 5) asm volatile("ld.global.cs.f32 %0,[%1];" : "=f"(v) : "l"(p));
  if (H == 6) asm volatile("ld.relaxed.gpu.global.f32 %0,[%1];" : "=f"(v) : "l"(p));
  if (H == 7) asm volatile("ld.global.nc.L1::evict_last.f32 %0,[%1];" : "=f"(v) : "l"(p));
  if (H == 8) asm volatile("ld.global.cv.f32 %0,[%1];" : "=f"(v) : "l"(p));
  if (H == 9) asm volatile("ld.global.L1::no_allocate.f32 %0,[%1];" : "=f"(v) : "l"(p));
  return v;
}
template <int H> __global__ void g1(const float *s, float *t, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] = ld<H>(s + at[i]);
}
template <int H> __global__ void g4(const float *s, float *t, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i * 4 < n) {
    int4 a = ((const int4 *)at)[i];
    float4 v = {ld<H>(s + a.x), ld<H>(s + a.y), ld<H>(s + a.z), ld<H>(s + a.w)};
    ((float4 *)t)[i] = v;
  }
}
template <int H, int U> __global__ void gs(const float *s, float *t, const int *at, int n) {
  int b = blockIdx.x * blockDim.x * U + threadIdx.x;
  int a[U];
  float v[U];
#pragma unroll
  for (int u = 0; u < U; u++) a[u] = at[b + u * blockDim.x];
#pragma unroll
  for (int u = 0; u < U; u++) v[u] = ld<H>(s + a[u]);
#pragma unroll
  for (int u = 0; u < U; u++) t[b + u * blockDim.x] = v[u];
}
__global__ void gasync(const float *s, float *t, const int *at, int n) {
  __shared__ float m[1024];
  int b = blockIdx.x * 1024 + threadIdx.x;
  for (int u = 0; u < 4; u++) {
    unsigned d = (unsigned)__cvta_generic_to_shared(m + threadIdx.x + u * 256);
    const float *p = s + at[b + u * 256];
    asm volatile("cp.async.ca.shared.global [%0],[%1],4;" ::"r"(d), "l"(p));
  }
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  ((float4 *)t)[blockIdx.x * 256 + threadIdx.x] = ((float4 *)m)[threadIdx.x];
}
// Random 4-byte loads at hashed places of a region, no table and no stores: what rate L2 gives single sectors at.
template <int U> __global__ void rnd(const unsigned *s, unsigned *t, unsigned mask) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v[U];
#pragma unroll
  for (int u = 0; u < U; u++) {
    unsigned x = (i * U + u) * 0x9e3779b1u;
    x ^= x >> 15;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    v[u] = __ldg(s + (x & mask));
  }
  unsigned r = 0;
#pragma unroll
  for (int u = 0; u < U; u++) r ^= v[u];
  if (r == 0x12345677u) t[i] = r;
}
// Sequential words, for the same comparison
__global__ void seq(const uint4 *s, unsigned *t, unsigned mask) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 v = __ldg(s + (i & mask));
  unsigned r = v.x ^ v.y ^ v.z ^ v.w;
  if (r == 0x12345677u) t[i] = r;
}
// Halo: 516^3 floats, radius 2
const int P = 516;
__global__ void hx(const char *s, char *t, int both) { // rows in z,y; thread a row, 8 bytes a face
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = both ? i >> 1 : i & 262143;
  int f = both ? i & 1 : i >> 18;
  int y = r & 511, z = r >> 9;
  const long o = (((long)(z + 2) * P + y + 2) * P + 2) * 4 + (f ? 2040 : 0);
  ((uint2 *)t)[(long)f * 262144 + r] = *(const uint2 *)(s + o);
}
__global__ void hyz(const char *s, char *t) { // 4 faces of 512*2 rows of 2048 bytes in 8-byte words: 4*1024*256 words
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned f = i >> 18, w = i & 255, r = (i >> 8) & 1023;
  int y, z;
  if (f < 2) {
    y = (f ? 512 : 2) + (r & 1);
    z = 2 + (r >> 1);
  } else {
    z = (f == 3 ? 512 : 2) + (r >> 9);
    y = 2 + (r & 511);
  }
  const long o = (((long)z * P + y) * P + 2) * 4 + w * 8;
  ((uint2 *)t)[524288 + i] = *(const uint2 *)(s + o);
}
__global__ void hall(const char *s, char *t) {
  unsigned b = blockIdx.x; // 2048 blocks of x rows, 4096 of the rest, spread among each other
  unsigned k = b % 3, g = b / 3;
  if (k == 0) {
    int i = g * 256 + threadIdx.x;
    int r = i >> 1, f = i & 1, y = r & 511, z = r >> 9;
    const long o = (((long)(z + 2) * P + y + 2) * P + 2) * 4 + (f ? 2040 : 0);
    ((uint2 *)t)[(long)f * 262144 + r] = *(const uint2 *)(s + o);
    return;
  }
  unsigned i = (g * 2 + k - 1) * 256 + threadIdx.x, f = i >> 18, w = i & 255, r = (i >> 8) & 1023;
  int y, z;
  if (f < 2) {
    y = (f ? 512 : 2) + (r & 1);
    z = 2 + (r >> 1);
  } else {
    z = (f == 3 ? 512 : 2) + (r >> 9);
    y = 2 + (r & 511);
  }
  const long o = (((long)z * P + y) * P + 2) * 4 + w * 8;
  ((uint2 *)t)[524288 + i] = *(const uint2 *)(s + o);
}
__global__ void hall4(const char *s, char *t) {
  unsigned b = blockIdx.x, k = b % 3, g = b / 3;
  uint2 v[4];
  if (k == 0) {
    long o[4];
#pragma unroll
    for (int u = 0; u < 4; u++) {
      int i = g * 1024 + u * 256 + threadIdx.x, r = i >> 1, f = i & 1, y = r & 511, z = r >> 9;
      o[u] = (((long)(z + 2) * P + y + 2) * P + 2) * 4 + (f ? 2040 : 0);
      v[u] = *(const uint2 *)(s + o[u]);
    }
#pragma unroll
    for (int u = 0; u < 4; u++) {
      int i = g * 1024 + u * 256 + threadIdx.x, r = i >> 1, f = i & 1;
      ((uint2 *)t)[(long)f * 262144 + r] = v[u];
    }
    return;
  }
#pragma unroll
  for (int u = 0; u < 4; u++) {
    unsigned i = (g * 2 + k - 1) * 1024 + u * 256 + threadIdx.x, f = i >> 18, w = i & 255, r = (i >> 8) & 1023;
    int y, z;
    if (f < 2) {
      y = (f ? 512 : 2) + (r & 1);
      z = 2 + (r >> 1);
    } else {
      z = (f == 3 ? 512 : 2) + (r >> 9);
      y = 2 + (r & 511);
    }
    v[u] = *(const uint2 *)(s + (((long)z * P + y) * P + 2) * 4 + w * 8);
  }
#pragma unroll
  for (int u = 0; u < 4; u++) {
    unsigned i = (g * 2 + k - 1) * 1024 + u * 256 + threadIdx.x;
    ((uint2 *)t)[524288 + i] = v[u];
  }
}
int main() {
  const int n = 4194304, held = 2 * n;
  const size_t gathered = n * 4ull, face = 262144 * 8, copied = 64 << 20;
  float *s = (float *)filled(256 << 20), *t;
  int *at;
  char *h = filled((size_t)P * P * P * 4), *ht;
  CHECK(cudaMalloc(&t, 64 << 20));
  CHECK(cudaMalloc(&at, gathered));
  CHECK(cudaMalloc(&ht, 32 << 20));
  wake();
  workload = "a launch";
  timed("empty", 0, [&] { empty<<<1, 32>>>(); });
  std::mt19937 rng(7);
  std::vector<int> deck(held);
  std::iota(deck.begin(), deck.end(), 0);
  for (int i = 0; i < n; i++) std::swap(deck[i], deck[i + rng() % (held - i)]);
  std::vector<int> r(deck.begin(), deck.begin() + n), so = r, half = r, loc;
  std::sort(so.begin(), so.end());
  for (int i = 0; i < n; i++) half[i] = r[i] >> 1; // within n points: repeats allowed
  loc = so;
  for (int i = 0; i + 4096 <= n; i += 4096) std::shuffle(loc.begin() + i, loc.begin() + i + 4096, rng);
  struct {
    const char *n;
    std::vector<int> *v;
  } L[] = {
      {"shuffled of 2n", &r}, {"sorted of 2n", &so}, {"shuffled of n", &half}, {"shuffled in tiles of 4096", &loc}};
  std::vector<float> got(n);
  auto all = [&](std::vector<int> &v, bool deep) {
    CHECK(cudaMemcpy(at, v.data(), gathered, cudaMemcpyHostToDevice));
    auto chk = [&](const char *name, std::function<void()> f) {
      CHECK(cudaMemset(t, 0, gathered));
      timed(name, gathered, f);
      CHECK(cudaMemcpy(got.data(), t, gathered, cudaMemcpyDeviceToHost));
      const unsigned *g = (const unsigned *)got.data();
      bool right = true;
      for (int i = 0; i < n; i++) right &= g[i] == word_at(v[i]);
      require(right, name);
    };
    chk("1 a thread nc", [&] { g1<1><<<n / 256, 256>>>(s, t, at, n); });
    chk("4 a thread, int4 float4", [&] { g4<1><<<n / 1024, 256>>>(s, t, at, n); });
    if (!deep) return;
    chk("1 ld", [&] { g1<0><<<n / 256, 256>>>(s, t, at, n); });
    chk("1 cg", [&] { g1<2><<<n / 256, 256>>>(s, t, at, n); });
    chk("1 nc no_allocate", [&] { g1<3><<<n / 256, 256>>>(s, t, at, n); });
    chk("1 evict_first", [&] { g1<4><<<n / 256, 256>>>(s, t, at, n); });
    chk("1 cs", [&] { g1<5><<<n / 256, 256>>>(s, t, at, n); });
    chk("1 relaxed.gpu", [&] { g1<6><<<n / 256, 256>>>(s, t, at, n); });
    chk("1 nc evict_last", [&] { g1<7><<<n / 256, 256>>>(s, t, at, n); });
    chk("1 cv", [&] { g1<8><<<n / 256, 256>>>(s, t, at, n); });
    chk("1 ld no_allocate", [&] { g1<9><<<n / 256, 256>>>(s, t, at, n); });
    chk("1 nc t128", [&] { g1<1><<<n / 128, 128>>>(s, t, at, n); });
    chk("1 nc t1024", [&] { g1<1><<<n / 1024, 1024>>>(s, t, at, n); });
    chk("4v t128", [&] { g4<1><<<n / 512, 128>>>(s, t, at, n); });
    chk("4v t64", [&] { g4<1><<<n / 256, 64>>>(s, t, at, n); });
    chk("4v cg", [&] { g4<2><<<n / 1024, 256>>>(s, t, at, n); });
    chk("4v t512", [&] { g4<1><<<n / 2048, 512>>>(s, t, at, n); });
    chk("2 strided t256", [&] { gs<1, 2><<<n / 512, 256>>>(s, t, at, n); });
    chk("4 strided t128", [&] { gs<1, 4><<<n / 512, 128>>>(s, t, at, n); });
    chk("8 strided t128", [&] { gs<1, 8><<<n / 1024, 128>>>(s, t, at, n); });
    chk("16 strided t128", [&] { gs<1, 16><<<n / 2048, 128>>>(s, t, at, n); });
    chk("cp.async 4 B", [&] { gasync<<<n / 1024, 256>>>(s, t, at, n); });
  };
  for (auto &l : L) {
    workload = l.n;
    all(*l.v, l.v == &r);
  }
  with_fetches(32, [&](const std::string &fetches) {
    workload = "shuffled of 2n, " + fetches;
    all(r, false);
  });
  workload = "random sectors, no table";
  for (int mb : {1, 4, 8, 16, 32, 64, 256}) {
    const std::string of = "random of " + std::to_string(mb) + " MB, U=";
    unsigned m = mb * 262144u - 1;
    timed(of + "1", gathered, [&] { rnd<1><<<n / 256, 256>>>((unsigned *)s, (unsigned *)t, m); });
    timed(of + "4", gathered, [&] { rnd<4><<<n / 1024, 256>>>((unsigned *)s, (unsigned *)t, m); });
    timed(of + "4 x4", 4 * gathered, [&] { rnd<4><<<n / 256, 256>>>((unsigned *)s, (unsigned *)t, m); });
  }
  for (int mb : {8, 32, 64}) {
    unsigned m = mb * 65536u - 1;
    timed("134 MB in order of " + std::to_string(mb) + " MB", n * 32ull,
          [&] { seq<<<n * 2 / 256, 256>>>((uint4 *)s, (unsigned *)t, m); });
  }
  for (size_t bytes : {64, 32})
    with_fetches(bytes, [&](const std::string &fetches) {
      const auto copy = [&] { CHECK(cudaMemcpyAsync(s, s + (32 << 20), copied, cudaMemcpyDeviceToDevice)); };
      workload = "halo by hand, " + fetches;
      timed("x faces, one after other", 2 * face, [&] { hx<<<2048, 256>>>(h, ht, 0); });
      timed("x faces, side by side", 2 * face, [&] { hx<<<2048, 256>>>(h, ht, 1); });
      timed("y and z faces", 4 * face, [&] { hyz<<<4096, 256>>>(h, ht); });
      timed("all, 1 a thread", 6 * face, [&] { hall<<<6144, 256>>>(h, ht); });
      timed("all, 4 a thread", 6 * face, [&] { hall4<<<1536, 256>>>(h, ht); });
      timed("all + 64 MB copy between", 6 * face, [&] {
        hall4<<<1536, 256>>>(h, ht);
        copy();
      });
      timed("(that copy alone)", copied, copy);
    });
  return 0;
}
