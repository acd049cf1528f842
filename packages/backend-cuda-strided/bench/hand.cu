// What one writes by hand for blocks of words at a pitch: the kernel that bench/strided.mjs races against.
extern "C" __global__ void pack_words(unsigned *__restrict__ packed, const unsigned *__restrict__ scattered,
                                      unsigned long long words, unsigned long long block, unsigned long long pitch) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < words) packed[i] = scattered[(size_t)(i / (unsigned)block) * pitch + i % (unsigned)block];
}
