// CCCL's copy of mdspans for one type of element, one of indices and one rank: -DELEMENT=int -DINDEX=int64_t -DRANK=3.
// build-pages-peers.sh builds those that experiments ask for. Lengths and strides are in elements. -1: it threw.
#include <cuda/experimental/copy.cuh>
#include <cuda/mdspan>
#include <cuda/stream>
#include <cstdint>
#include <exception>

#define JOINED(element, index, rank) peer_mdspan_##element##_##index##_##rank
#define NAME(element, index, rank) JOINED(element, index, rank)

extern "C" int NAME(ELEMENT, INDEX, RANK)(uint64_t source, uint64_t target, const int64_t *shape,
                                          const int64_t *source_strides, const int64_t *target_strides,
                                          uint64_t stream) {
  using extents = cuda::std::dextents<INDEX, RANK>;
  using mapping = cuda::layout_stride_relaxed::mapping<extents>;
  using span = cuda::device_mdspan<ELEMENT, extents, cuda::layout_stride_relaxed>;
  cuda::std::array<INDEX, RANK> lengths, from, to;
  for (size_t i = 0; i < RANK; i++)
    lengths[i] = (INDEX)shape[i], from[i] = (INDEX)source_strides[i], to[i] = (INDEX)target_strides[i];
  const extents all(lengths);
  try {
    cuda::experimental::copy(span((ELEMENT *)source, mapping(all, cuda::dstrides<INDEX, RANK>(from))),
                             span((ELEMENT *)target, mapping(all, cuda::dstrides<INDEX, RANK>(to))),
                             cuda::stream_ref((cudaStream_t)stream));
  } catch (const std::exception &) {
    return -1;
  }
  return (int)cudaGetLastError();
}
