// What pages.mjs compares with: nvcc -O3 -arch=sm_90 -shared -Xcompiler -fPIC pages-peers.cu -o pages-peers.so
#include <cub/device/device_memcpy.cuh>
#include <cstdint>

// A warp a page, 16 bytes a lane at a time: as inference servers move pages by hand.
__global__ void warp_a_page(const char *source, const uint32_t *from, char *target, const uint32_t *to, uint32_t pages,
                            uint32_t page_bytes) {
  const uint32_t page = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (page >= pages) return;
  const uint4 *in = reinterpret_cast<const uint4 *>(source + (size_t)from[page] * page_bytes);
  uint4 *out = reinterpret_cast<uint4 *>(target + (size_t)to[page] * page_bytes);
  for (uint32_t i = threadIdx.x % 32; i < page_bytes / 16; i += 32) out[i] = in[i];
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
