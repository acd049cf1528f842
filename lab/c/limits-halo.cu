// The six faces of a halo of 512^3 floats, radius 2, by hand: words a thread (U), order of the faces' tiles (0: z y x x
// y z, 1: all faces at once, 2: scattered, 3: x first), x faces row by row or in pairs, load and store hints. nvcc -O3
// -std=c++17 -arch=sm_90
#include "limits.cuh"
#include <cstring>

const int P = 516;

template <int H> __device__ inline uint2 ld2(const char *p) {
  uint2 v;
  if (H == 0) asm volatile("ld.global.nc.v2.u32 {%0,%1},[%2];" : "=r"(v.x), "=r"(v.y) : "l"(p));
  if (H == 1) asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0,%1},[%2];" : "=r"(v.x), "=r"(v.y) : "l"(p));
  if (H == 2) asm volatile("ld.global.nc.L2::64B.v2.u32 {%0,%1},[%2];" : "=r"(v.x), "=r"(v.y) : "l"(p));
  if (H == 3) asm volatile("ld.global.nc.L2::128B.v2.u32 {%0,%1},[%2];" : "=r"(v.x), "=r"(v.y) : "l"(p));
  return v;
}
template <int U, int ORDER, int PAIRS, int H, int CS> __global__ void hk(const char *s, char *t) {
  const unsigned T = 1024 / U;
  unsigned b = blockIdx.x;
  if (ORDER == 1) b = (b % 6) * T + b / 6;
  if (ORDER == 2) b = (unsigned)((b * (unsigned long long)(6 * T * 5 / 8 + 1)) % (6 * T));
  if (ORDER == 3) b = b < 2 * T ? b + 2 * T : b < 4 * T ? b - 2 * T : b;
  unsigned f = b / T, l = b % T;
  long o[U];
  unsigned d[U];
  uint2 v[U];
#pragma unroll
  for (int u = 0; u < U; u++) {
    unsigned i = l * 256 * U + u * 256 + threadIdx.x;
    int y, z, w = i & 255;
    unsigned r;
    if (f == 2 || f == 3) {
      unsigned side = f - 2;
      if (PAIRS) {
        unsigned j = (f - 2) * 262144 + i;
        side = j & 1;
        r = j >> 1;
      } else r = i;
      y = r & 511;
      z = r >> 9;
      o[u] = (((long)(z + 2) * P + y + 2) * P + 2) * 4 + (side ? 2040 : 0);
      d[u] = (2 + side) * 262144 + r;
    } else {
      r = i >> 8;
      if (f == 1 || f == 4) {
        y = (f == 4 ? 512 : 2) + (r & 1);
        z = 2 + (r >> 1);
      } else {
        z = (f == 5 ? 512 : 2) + (r >> 9);
        y = 2 + (r & 511);
      }
      o[u] = (((long)z * P + y) * P + 2) * 4 + w * 8;
      d[u] = f * 262144 + i;
    }
  }
#pragma unroll
  for (int u = 0; u < U; u++) v[u] = ld2<H>(s + o[u]);
#pragma unroll
  for (int u = 0; u < U; u++)
    if (CS) __stcs((uint2 *)t + d[u], v[u]);
    else ((uint2 *)t)[d[u]] = v[u];
}
char *h, *ht;
std::vector<uint2> ref;
const size_t faces = 6 * 262144 * 8;
template <int U, int ORDER, int PAIRS, int H, int CS> void one() {
  char n[99];
  sprintf(n, "U%d order%d pairs%d load%d cs%d", U, ORDER, PAIRS, H, CS);
  CHECK(cudaMemset(ht, 0, faces));
  timed(n, faces, [&] { hk<U, ORDER, PAIRS, H, CS><<<6 * 1024 / U, 256>>>(h, ht); });
  std::vector<uint2> g(faces / 8);
  CHECK(cudaMemcpy(g.data(), ht, faces, cudaMemcpyDeviceToHost));
  if (ref.empty()) ref = g;
  require(memcmp(g.data(), ref.data(), faces) == 0, n);
}
int main() {
  h = filled((size_t)P * P * P * 4);
  CHECK(cudaMalloc(&ht, 32 << 20));
  wake();
  for (size_t bytes : {64, 32})
    with_fetches(bytes, [](const std::string &fetches) {
      workload = "halo of 512^3 floats, " + fetches;
      one<8, 0, 0, 0, 0>();
      one<8, 1, 0, 0, 0>();
      one<8, 2, 0, 0, 0>();
      one<8, 3, 0, 0, 0>();
      one<8, 0, 1, 0, 0>();
      one<8, 1, 1, 0, 0>();
      one<8, 0, 0, 1, 0>();
      one<8, 0, 0, 2, 0>();
      one<8, 0, 0, 3, 0>();
      one<8, 0, 0, 0, 1>();
      one<8, 0, 0, 1, 1>();
      one<8, 1, 1, 1, 1>();
      one<8, 1, 0, 1, 1>();
      one<8, 0, 1, 1, 1>();
      one<4, 0, 0, 0, 0>();
      one<4, 1, 0, 0, 0>();
      one<4, 0, 1, 0, 0>();
      one<4, 1, 1, 0, 0>();
      one<4, 0, 0, 1, 1>();
      one<4, 1, 1, 1, 1>();
      one<2, 0, 0, 0, 0>();
      one<2, 1, 0, 0, 0>();
      one<2, 1, 1, 0, 0>();
      one<2, 1, 1, 1, 1>();
      one<1, 0, 0, 0, 0>();
      one<1, 1, 0, 0, 0>();
      one<1, 1, 1, 0, 0>();
      one<1, 0, 1, 1, 1>();
      one<1, 1, 1, 1, 1>();
    });
  return 0;
}
