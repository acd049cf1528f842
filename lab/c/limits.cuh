// What programs share that measure limits of a GPU: words that differ by place, and times of calls. Each prints a JSON
// object a line, {workload, contender, packedBytes, medianNs, minNs, maxNs, runs, eventNs}: a call with its wait, and
// the median between events before and after it. lab/experiments/limits.mjs reads them; a program ends where bytes are
// wrong.
#pragma once
#include "check.cuh"
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

__host__ __device__ inline unsigned word_at(unsigned i) { return i * 0x9e3779b1u ^ (i >> 7); }

__global__ void fill_words(unsigned *words, size_t count) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
    words[i] = word_at((unsigned)i);
}

// Memory of so many bytes, of which no two words nearby are equal.
inline char *filled(size_t bytes) {
  char *memory;
  CHECK(cudaMalloc(&memory, bytes));
  fill_words<<<2048, 256>>>((unsigned *)memory, bytes / 4);
  CHECK(cudaDeviceSynchronize());
  return memory;
}

__global__ void empty() {}

// An idle GPU has clocked down.
inline void wake() {
  for (int i = 0; i < 3000; i++) empty<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
}

// What is measured: the `workload` of the lines that follow.
inline std::string workload;

inline void require(bool right, const std::string &contender) {
  if (right) return;
  fprintf(stderr, "%s, %s: wrong bytes\n", workload.c_str(), contender.c_str());
  exit(1);
}

// `call` sends its work to the default stream.
inline void timed(const std::string &contender, size_t bytes, const std::function<void()> &call) {
  std::vector<double> wall, device;
  for (int i = -10; i < 60; i++) {
    const auto begun = std::chrono::steady_clock::now();
    call();
    CHECK(cudaStreamSynchronize(0));
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begun;
    if (i >= 0) wall.push_back(took.count());
  }
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (int i = 0; i < 15; i++) {
    float ms;
    CHECK(cudaEventRecord(begin));
    call();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    device.push_back(ms * 1e6);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  std::sort(wall.begin(), wall.end());
  std::sort(device.begin(), device.end());
  printf("{\"workload\":\"%s\",\"contender\":\"%s\",\"packedBytes\":%zu,\"medianNs\":%.0f,\"minNs\":%.0f,"
         "\"maxNs\":%.0f,\"runs\":%zu,\"eventNs\":%.0f}\n",
         workload.c_str(), contender.c_str(), bytes, wall[wall.size() / 2], wall.front(), wall.back(), wall.size(),
         device[device.size() / 2]);
  fflush(stdout);
}

// Calls `use` while L2 fetches so many bytes at a time at most, with "fetches of N B" to tell it by.
inline void with_fetches(size_t bytes, const std::function<void(const std::string &)> &use) {
  size_t before;
  CHECK(cudaDeviceGetLimit(&before, cudaLimitMaxL2FetchGranularity));
  CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, bytes));
  use("fetches of " + std::to_string(bytes) + " B");
  CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, before));
}
