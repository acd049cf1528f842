// What one writes by hand for blocks of words at a pitch: the kernel that bench/strided.mjs races against.
extern "C" __global__ void pack_words(unsigned *__restrict__ packed, const unsigned *__restrict__ scattered,
                                      unsigned long long words, unsigned long long block, unsigned long long pitch) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < words) packed[i] = scattered[(size_t)(i / (unsigned)block) * pitch + i % (unsigned)block];
}

// A transpose as one writes it by hand: tiles of 32 x 32 words in padded shared memory, 32 x 8 threads.
template <typename Word>
__device__ void transpose(Word *__restrict__ packed, const Word *__restrict__ scattered, int across, int along) {
  __shared__ Word tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < along && y + i < across) tile[threadIdx.y + i][threadIdx.x] = scattered[(size_t)(y + i) * along + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < across && y + i < along) packed[(size_t)(y + i) * across + x] = tile[threadIdx.x][threadIdx.y + i];
}
#define TRANSPOSE(bytes, Word)                                                                               \
  extern "C" __global__ void transpose_##bytes(Word *packed, const Word *scattered, int across, int along) { \
    transpose(packed, scattered, across, along);                                                             \
  }
TRANSPOSE(1, unsigned char)
TRANSPOSE(2, unsigned short)
TRANSPOSE(4, unsigned)
TRANSPOSE(8, unsigned long long)
TRANSPOSE(16, uint4)
