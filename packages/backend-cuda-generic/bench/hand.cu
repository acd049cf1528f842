// Kernels written by hand for Jenkins' types, as a reader of the paper would write them today: nvcc -O3 -arch=native hand.cu
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e)); exit(1); } } while (0)

__global__ void contiguous(const int4 *s, int4 *t, size_t n) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n) t[i] = s[i]; }
__global__ void vector8(const double *s, double *t, size_t n, size_t pitch) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n) t[i] = s[i * pitch]; }
__global__ void vector128(const int4 *s, int4 *t, size_t n, size_t pitch) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n) t[i] = s[(i >> 3) * pitch + (i & 7)]; }
__global__ void indexed8(const double *s, double *t, const int *at, size_t n) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n) t[i] = s[at[i]]; }
__global__ void subarray4(const int4 *s, int4 *t, unsigned n) {  // 32^4 of 64^4 doubles
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] = s[(i & 15) + ((i >> 4) & 31) * 32 + ((i >> 9) & 31) * 2048 + (i >> 14) * 131072];
}
__global__ void random_blocks(const double *s, double *t, const int *prefix, const int *at, int blocks, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  int low = 0, high = blocks - 1;
  while (low < high) { int middle = (low + high + 1) / 2; if (prefix[middle] <= (long long)i) low = middle; else high = middle - 1; }
  t[i] = s[at[low] + (i - prefix[low])];
}
__global__ void struct24(const char *s, char *t, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n * 17) t[i] = s[i / 17 * 24 + i % 17];
}

template <class Launch> void time(const char *name, size_t bytes, Launch launch) {
  std::vector<double> us;
  for (int i = -10; i < 100; i++) {
    auto start = std::chrono::steady_clock::now();
    launch();
    CHECK(cudaStreamSynchronize(0));
    if (i >= 0) us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  CHECK(cudaGetLastError());
  std::sort(us.begin(), us.end());
  printf("hand %-18s %9zu bytes wall %7.1f us\n", name, bytes, us[us.size() / 2]);
}

int main() {
  const size_t M = 64 << 20;
  char *s, *t;
  int *a, *b;
  CHECK(cudaMalloc(&s, M * 64));
  CHECK(cudaMalloc(&t, M));
  CHECK(cudaMemset(s, 1, M * 64));
  auto grid = [](size_t n) { return (unsigned)((n + 255) / 256); };
  std::vector<int> at(M / 8), prefix, place;
  for (size_t i = 0; i < at.size(); i++) at[i] = (int)(i * 64);
  uint32_t seed = 1;
  size_t packed = 0, where = 0;
  while (packed < M / 8) {
    seed = seed * 1664525u + 1013904223u;
    int length = (int)std::min<size_t>(1 + (seed >> 28), M / 8 - packed);
    prefix.push_back((int)packed), place.push_back((int)where);
    packed += length, where += 17;
  }
  CHECK(cudaMalloc(&a, M));
  CHECK(cudaMalloc(&b, M));
  CHECK(cudaMemcpy(a, at.data(), at.size() * 4, cudaMemcpyHostToDevice));
  time("contiguous", M, [&] { contiguous<<<grid(M / 16), 256>>>((int4 *)s, (int4 *)t, M / 16); });
  time("vector-8", M, [&] { vector8<<<grid(M / 8), 256>>>((double *)s, (double *)t, M / 8, 64); });
  time("vector-128", M, [&] { vector128<<<grid(M / 16), 256>>>((int4 *)s, (int4 *)t, M / 16, 32); });
  time("indexed-8", M, [&] { indexed8<<<grid(M / 8), 256>>>((double *)s, (double *)t, a, M / 8); });
  time("subarray4d-32", 8 << 20, [&] { subarray4<<<grid(524288), 256>>>((int4 *)s, (int4 *)t, 524288); });
  time("struct24", 17000, [&] { struct24<<<grid(17000), 256>>>(s, t, 1000); });
  time("struct24", 17000000, [&] { struct24<<<grid(17000000), 256>>>(s, t, 1000000); });
  CHECK(cudaMemcpy(a, prefix.data(), prefix.size() * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, place.data(), place.size() * 4, cudaMemcpyHostToDevice));
  time("indexed-random", M, [&] { random_blocks<<<grid(M / 8), 256>>>((double *)s, (double *)t, a, b, (int)prefix.size(), M / 8); });
  return 0;
}
