// What a programmer writes by hand for a vector on a device: words of 8 bytes, one a thread, straight to or from pinned memory.
// nvcc -cubin -arch=sm_90 -o device-hand.cubin device-hand.cu
extern "C" __global__ void pack(double *packed, const double *blocks, long words, int block, int stride) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < words) packed[i] = blocks[i / block * stride + i % block];
}

extern "C" __global__ void unpack(double *blocks, const double *packed, long words, int block, int stride) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < words) blocks[i / block * stride + i % block] = packed[i];
}
