// What the experiment pages compares with, but copies of mdspans: mdspan-peers.cu has those, build-pages-peers.sh
// builds both. Each peer takes the pools, the tables (on the device; of batches on the host) and a stream, and sends
// one copy of all pages. 0, or CUDA's error.
#include <cub/device/device_memcpy.cuh>
#include <cstdint>
#include <cstring>
#include <vector>

// A warp a page, 16 bytes a lane at a time: as inference servers move pages by hand.
__global__ void warp_a_page(const char *source, const uint32_t *from, char *target, const uint32_t *to, uint32_t pages,
                            uint32_t page_bytes) {
  const uint32_t page = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (page >= pages) return;
  const uint4 *in = reinterpret_cast<const uint4 *>(source + (size_t)from[page] * page_bytes);
  uint4 *out = reinterpret_cast<uint4 *>(target + (size_t)to[page] * page_bytes);
  for (uint32_t i = threadIdx.x % 32; i < page_bytes / 16; i += 32) out[i] = in[i];
}

// The idea of sgl_kernel's transfer_kv_per_layer (sgl-kernel/csrc/kvcacheio/transfer.cu): warps of blocks of 1,024
// threads take some pages each, 8 bytes a lane at a time, past L1.
__global__ void __launch_bounds__(1024)
    warp_some_pages(const char *source, const uint32_t *from, char *target, const uint32_t *to, uint32_t pages,
                    uint32_t page_bytes, uint32_t pages_a_warp) {
  const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  for (uint32_t i = 0; i < pages_a_warp; i++) {
    const uint32_t page = warp * pages_a_warp + i;
    if (page >= pages) return;
    const uint64_t *in = reinterpret_cast<const uint64_t *>(source + (size_t)from[page] * page_bytes);
    uint64_t *out = reinterpret_cast<uint64_t *>(target + (size_t)to[page] * page_bytes);
    for (uint32_t j = lane; j < page_bytes / 8; j += 32) {
      uint64_t word;
      asm volatile("ld.global.nc.b64 %0, [%1];" : "=l"(word) : "l"(in + j) : "memory");
      asm volatile("st.global.cg.b64 [%0], %1;" ::"l"(out + j), "l"(word) : "memory");
    }
  }
}

// CUB takes addresses and sizes: they are made of the tables anew at each call, since the tables are what changes.
__global__ void addresses(const char *source, const uint32_t *from, char *target, const uint32_t *to, uint32_t pages,
                          uint32_t page_bytes, const void **in, void **out, uint32_t *sizes) {
  const uint32_t page = blockIdx.x * blockDim.x + threadIdx.x;
  if (page >= pages) return;
  in[page] = source + (size_t)from[page] * page_bytes;
  out[page] = target + (size_t)to[page] * page_bytes;
  sizes[page] = page_bytes;
}

extern "C" int peer_warp(uint64_t source, uint64_t from, uint64_t target, uint64_t to, uint32_t pages,
                         uint32_t page_bytes, uint64_t stream) {
  warp_a_page<<<(pages + 7) / 8, 256, 0, (cudaStream_t)stream>>>(
      (const char *)source, (const uint32_t *)from, (char *)target, (const uint32_t *)to, pages, page_bytes);
  return (int)cudaGetLastError();
}

// As many blocks as the device holds at a time, and pages in turn for their warps.
extern "C" int peer_sgl(uint64_t source, uint64_t from, uint64_t target, uint64_t to, uint32_t pages,
                        uint32_t page_bytes, uint64_t stream) {
  const uint32_t most_warps = 132 * 2 * 32;
  const uint32_t pages_a_warp = (pages + most_warps - 1) / most_warps;
  const uint32_t warps = (pages + pages_a_warp - 1) / pages_a_warp;
  warp_some_pages<<<(warps + 31) / 32, 1024, 0, (cudaStream_t)stream>>>((const char *)source, (const uint32_t *)from,
                                                                        (char *)target, (const uint32_t *)to, pages,
                                                                        page_bytes, pages_a_warp);
  return (int)cudaGetLastError();
}

// `room`: 24 bytes a page and CUB's own, which the first call (room 0) is told.
extern "C" int peer_cub(uint64_t source, uint64_t from, uint64_t target, uint64_t to, uint32_t pages,
                        uint32_t page_bytes, uint64_t room, uint64_t *room_bytes, uint64_t stream) {
  const size_t lists = ((size_t)pages * 24 + 255) / 256 * 256;
  const void **in = (const void **)room;
  void **out = (void **)(room + 8 * (size_t)pages);
  uint32_t *sizes = (uint32_t *)(room + 16 * (size_t)pages);
  size_t own = 0;
  if (room == 0) {
    const int status = (int)cub::DeviceMemcpy::Batched(nullptr, own, in, out, sizes, pages, (cudaStream_t)stream);
    *room_bytes = lists + own;
    return status;
  }
  own = *room_bytes - lists;
  addresses<<<(pages + 255) / 256, 256, 0, (cudaStream_t)stream>>>((const char *)source, (const uint32_t *)from,
                                                                   (char *)target, (const uint32_t *)to, pages,
                                                                   page_bytes, in, out, sizes);
  return (int)cub::DeviceMemcpy::Batched((void *)(room + lists), own, in, out, sizes, pages, (cudaStream_t)stream);
}

// The driver's batch: lists of addresses made of host tables at each call. It takes no legacy stream.
extern "C" int peer_batch(uint64_t source, const uint32_t *from, uint64_t target, const uint32_t *to, uint32_t pages,
                          uint32_t page_bytes, uint64_t stream) {
  static std::vector<const void *> in;
  static std::vector<void *> out;
  static std::vector<size_t> sizes;
  in.resize(pages), out.resize(pages), sizes.assign(pages, page_bytes);
  for (uint32_t k = 0; k < pages; k++) {
    in[k] = (const void *)(source + (uint64_t)from[k] * page_bytes);
    out[k] = (void *)(target + (uint64_t)to[k] * page_bytes);
  }
  cudaMemcpyAttributes attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t first = 0;
  return (int)cudaMemcpyBatchAsync((const void **)out.data(), in.data(), sizes.data(), pages, &attributes, &first, 1,
                                   (cudaStream_t)stream);
}

// A batch of boxes, one row each.
extern "C" int peer_batch_3d(uint64_t source, const uint32_t *from, uint64_t target, const uint32_t *to, uint32_t pages,
                             uint32_t page_bytes, uint64_t stream) {
  static std::vector<cudaMemcpy3DBatchOp> ops;
  ops.resize(pages);
  for (uint32_t k = 0; k < pages; k++) {
    cudaMemcpy3DBatchOp &op = ops[k];
    memset(&op, 0, sizeof op);
    op.src.type = op.dst.type = cudaMemcpyOperandTypePointer;
    op.src.op.ptr.ptr = (void *)(source + (uint64_t)from[k] * page_bytes);
    op.dst.op.ptr.ptr = (void *)(target + (uint64_t)to[k] * page_bytes);
    op.src.op.ptr.locHint.type = op.dst.op.ptr.locHint.type = cudaMemLocationTypeDevice;
    op.extent = make_cudaExtent(page_bytes, 1, 1);
    op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  }
  return (int)cudaMemcpy3DBatchAsync(pages, ops.data(), 0, (cudaStream_t)stream);
}

// What the experiment checks with: bytes that any pattern of wrong pages would show, and a count of wrong ones.
struct run {
  uint64_t source, target, bytes;
};

__device__ __host__ inline uint32_t noise_of(uint64_t word) {
  uint64_t x = word * 0x9e3779b97f4a7c15ull;
  x ^= x >> 29;
  return (uint32_t)(x * 0xbf58476d1ce4e5b9ull >> 32);
}

__global__ void noise(uint32_t *words, uint64_t count) {
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < count; i += gridDim.x * (uint64_t)blockDim.x)
    words[i] = noise_of(i);
}

// A block a page: counts bytes of the target that are not the source's, then puts `erased` in their place.
__global__ void compare(const unsigned char *source, const uint32_t *from, uint64_t source_stride,
                        unsigned char *target, const uint32_t *to, uint64_t target_stride, const run *runs,
                        uint32_t run_count, unsigned char erased, unsigned long long *wrong) {
  const unsigned char *in = source + from[blockIdx.x] * source_stride;
  unsigned char *out = target + to[blockIdx.x] * target_stride;
  unsigned long long bad = 0;
  for (uint32_t r = 0; r < run_count; r++)
    for (uint64_t i = threadIdx.x; i < runs[r].bytes; i += blockDim.x) {
      bad += in[runs[r].source + i] != out[runs[r].target + i];
      out[runs[r].target + i] = erased;
    }
  if (bad != 0) atomicAdd(wrong, bad);
}

__global__ void others(const uint4 *words, uint64_t count, uint32_t expected, unsigned long long *wrong) {
  unsigned long long bad = 0;
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < count; i += gridDim.x * (uint64_t)blockDim.x) {
    const uint4 word = words[i];
    bad += (word.x ^ expected | word.y ^ expected | word.z ^ expected | word.w ^ expected) != 0;
  }
  if (bad != 0) atomicAdd(wrong, bad);
}

extern "C" int fill_noise(uint64_t words, uint64_t bytes, uint64_t stream) {
  noise<<<1024, 256, 0, (cudaStream_t)stream>>>((uint32_t *)words, bytes / 4);
  return (int)cudaGetLastError();
}

extern "C" int compare_pages(uint64_t source, uint64_t from, uint64_t source_stride, uint64_t target, uint64_t to,
                             uint64_t target_stride, uint32_t pages, uint64_t runs, uint32_t run_count, uint64_t wrong,
                             uint64_t stream) {
  compare<<<pages, 256, 0, (cudaStream_t)stream>>>((const unsigned char *)source, (const uint32_t *)from, source_stride,
                                                   (unsigned char *)target, (const uint32_t *)to, target_stride,
                                                   (const run *)runs, run_count, 0xee, (unsigned long long *)wrong);
  return (int)cudaGetLastError();
}

// Behind compare_pages, all bytes of the target are 0xee, or one was written that is no page's.
extern "C" int compare_others(uint64_t target, uint64_t bytes, uint64_t wrong, uint64_t stream) {
  others<<<2048, 256, 0, (cudaStream_t)stream>>>((const uint4 *)target, bytes / 16, 0xeeeeeeee,
                                                 (unsigned long long *)wrong);
  return (int)cudaGetLastError();
}

// Of the experiment mdspans: as many elements as the lengths say, in whatever order; each that is the source's is
// erased.
struct strided {
  uint64_t lengths[24], source[24], target[24];
};

template <class T>
__global__ void compare_elements(const T *source, T *target, strided shape, int rank, uint64_t elements, T erased,
                                 unsigned long long *wrong) {
  unsigned long long bad = 0;
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < elements;
       i += gridDim.x * (uint64_t)blockDim.x) {
    uint64_t rest = i, from = 0, to = 0;
    for (int d = rank - 1; d >= 0; d--) {
      const uint64_t at = rest % shape.lengths[d];
      rest /= shape.lengths[d];
      from += at * shape.source[d];
      to += at * shape.target[d];
    }
    bad += source[from] != target[to];
    target[to] = erased;
  }
  if (bad != 0) atomicAdd(wrong, bad);
}

// Strides in elements; they may be negative.
extern "C" int compare_strided(uint64_t source, uint64_t target, int rank, const int64_t *lengths,
                               const int64_t *source_strides, const int64_t *target_strides, uint32_t element_bytes,
                               uint64_t wrong, uint64_t stream) {
  strided shape;
  uint64_t elements = 1;
  for (int d = 0; d < rank; d++) {
    shape.lengths[d] = (uint64_t)lengths[d];
    shape.source[d] = (uint64_t)source_strides[d];
    shape.target[d] = (uint64_t)target_strides[d];
    elements *= shape.lengths[d];
  }
  const auto on = (cudaStream_t)stream;
  const auto bad = (unsigned long long *)wrong;
  switch (element_bytes) {
  case 1:
    compare_elements<<<2048, 256, 0, on>>>((const uint8_t *)source, (uint8_t *)target, shape, rank, elements,
                                           (uint8_t)0xee, bad);
    break;
  case 2:
    compare_elements<<<2048, 256, 0, on>>>((const uint16_t *)source, (uint16_t *)target, shape, rank, elements,
                                           (uint16_t)0xeeee, bad);
    break;
  case 4:
    compare_elements<<<2048, 256, 0, on>>>((const uint32_t *)source, (uint32_t *)target, shape, rank, elements,
                                           0xeeeeeeeeu, bad);
    break;
  case 8:
    compare_elements<<<2048, 256, 0, on>>>((const uint64_t *)source, (uint64_t *)target, shape, rank, elements,
                                           (uint64_t)0xeeeeeeeeeeeeeeeeull, bad);
    break;
  default: return (int)cudaErrorInvalidValue;
  }
  return (int)cudaGetLastError();
}
