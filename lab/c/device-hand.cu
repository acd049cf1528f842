// What a programmer writes by hand on a device: words of a vector or a box, one a thread, straight to or from pinned
// memory. nvcc -cubin -arch=sm_90 -o device-hand.cubin lab/c/device-hand.cu
extern "C" __global__ void pack(double *packed, const double *blocks, long words, int block, int stride) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < words) packed[i] = blocks[i / block * stride + i % block];
}

extern "C" __global__ void unpack(double *blocks, const double *packed, long words, int block, int stride) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < words) blocks[i / block * stride + i % block] = packed[i];
}

// A box of a cube of floats, whose edge is `whole`.
extern "C" __global__ void pack_box(float *packed, const float *box, long cells, int rows, int width, int whole) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < cells) packed[i] = box[((i / width / rows) * whole + i / width % rows) * whole + i % width];
}

extern "C" __global__ void unpack_box(float *packed, float *box, long cells, int rows, int width, int whole) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < cells) box[((i / width / rows) * whole + i / width % rows) * whole + i % width] = packed[i];
}
