import { LAUNCH_FORMAT, TABLED_FORMAT, type PageKernel, type PageSide } from "@stowage/backend-cuda-generic";
import { cRecords } from "../formats/c-records.js";
import type { CompiledPages } from "./compiled-pages.js";

const { header, node } = LAUNCH_FORMAT;

const HEAD = `/* Written by stowage compile: copies pages between pools, such as those of paged caches, by tables. C++14; link with -lcuda.
 *
 * An object of the class is for the context that is current when load() is called. copy() sends a launch, or a few, to a stream
 * (a CUstream or cudaStream_t) and gives 0 or the driver's CUresult: page source_pages[k] of each source pool goes to page
 * target_pages[k] of its target pool. Pools and tables are device memory, or pinned memory of the host; an entry of -1 leaves
 * its page, and so does one that leads outside its pool, of which wrong_entry() tells once the copy is over.
 */
`;

const COMMON = `#ifndef STOWAGE_PAGES
#define STOWAGE_PAGES
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stowage_pages {
${cRecords([header, TABLED_FORMAT.group, TABLED_FORMAT.place, node])}
/* The CUDA driver API by names of our own: <cuda.h> may be there, or not. */
int load_module(void **module, const void *image) __asm__("cuModuleLoadData");
int unload_module(void *module) __asm__("cuModuleUnload");
int get_function(void **function, void *module, const char *name) __asm__("cuModuleGetFunction");
int allocate(uint64_t *address, size_t bytes) __asm__("cuMemAlloc_v2");
int release(uint64_t address) __asm__("cuMemFree_v2");
int send(uint64_t to, const void *from, size_t bytes) __asm__("cuMemcpyHtoD_v2");
int allocate_pinned(void **address, size_t bytes, unsigned flags) __asm__("cuMemHostAlloc");
int release_pinned(void *address) __asm__("cuMemFreeHost");
int pointer_attribute(void *value, int attribute, uint64_t address) __asm__("cuPointerGetAttribute");
int launch(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
           unsigned block_z, unsigned shared_bytes, void *stream, void **parameters, void **extra)
    __asm__("cuLaunchKernel");

struct pool {
  uint64_t address, bytes;
};

struct tables {
  uint64_t source_pages, target_pages;
  /* 4 or 8: 32-bit or 64-bit integers. */
  unsigned entry_bytes;
  uint32_t entries;
  /* Where a 32-bit integer says how many of them are copied, when the copy runs; 0: all. */
  uint64_t count_at;
};

struct kernel_text {
  const char *entry, *ptx;
  unsigned entry_bytes;
  bool counted;
  unsigned word_bytes, pieces, pieces_per_block;
};

struct side {
  const unsigned char *nodes;
  size_t node_bytes;
  int64_t start, true_lower_bound, true_extent;
};

inline int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0); }

/* The entries whose pages lie within a pool. */
inline void bounds(const side &of, uint64_t bytes, int64_t stride, int64_t *least, int64_t *most) {
  const int64_t low = -of.true_lower_bound, high = (int64_t)bytes + low - of.true_extent;
  *least = -floor_divide(-(stride > 0 ? low : high), stride);
  *most = floor_divide(stride > 0 ? high : low, stride);
}

inline void put_nodes(unsigned char *block, size_t at, const side &of) {
  std::memcpy(block + at, of.nodes, of.node_bytes);
  for (size_t each = 0; each < of.node_bytes; each += sizeof(launch_node)) {
    launch_node record;
    std::memcpy(&record, block + at + each, sizeof record);
    record.child += (uint32_t)at;
    std::memcpy(block + at + each, &record, sizeof record);
  }
}
} // namespace stowage_pages
#endif
`;

const bytesText = (bytes: Uint8Array): string =>
  [...(bytes.length === 0 ? [0] : bytes)].join(",").replaceAll(/(.{1,110}),/g, "$1,\n    ");

const sideText = ({ nodes, startBytes }: PageSide, name: string, lowerBound: number, extent: number): string =>
  `static const unsigned char ${name}_nodes[] = {\n    ${bytesText(nodes)}};
    static const stowage_pages::side ${name} = {${name}_nodes, ${nodes.length}, ${startBytes}, ${lowerBound}, ${extent}};`;

const kernelText = ({ entry, ptx, index, counted, wordBytes, pieces, piecesPerBlock }: PageKernel): string =>
  `{"${entry}", R"ptx(${ptx})ptx", ${index === "u32" ? 4 : 8}, ${counted}, ${wordBytes}, ${pieces}, ${piecesPerBlock}}`;

/** A header of one class over the driver alone. */
export function cppPagesHeader({ symbol, facts, code }: CompiledPages): string {
  const { kernels, lookaside, threads, planBytes, mostPools } = code;
  const { sizeBytes, trueLowerBounds, trueExtents } = facts;
  return `${HEAD}${COMMON}
class ${symbol} {
public:
  static constexpr int64_t size = ${sizeBytes};

  ${symbol}() = default;
  ${symbol}(const ${symbol} &) = delete;
  ${symbol} &operator=(const ${symbol} &) = delete;
  ~${symbol}() { unload(); }

  /* Once, before any copy. */
  int load() {
    const unsigned char lookaside[] = {\n    ${bytesText(lookaside)}};
    const size_t bytes = ${lookaside.length};
    int result = stowage_pages::allocate_pinned((void **)&fault_, sizeof *fault_, 2);
    if (result == 0) *fault_ = 0;
    if (result == 0) result = stowage_pages::pointer_attribute(&fault_at_, 3, (uint64_t)(uintptr_t)fault_);
    if (result == 0 && bytes > 0) result = stowage_pages::allocate(&lookaside_, bytes);
    if (result == 0 && bytes > 0) result = stowage_pages::send(lookaside_, lookaside, bytes);
    for (size_t i = 0; result == 0 && i < KERNELS; i++) {
      result = stowage_pages::load_module(&modules_[i], texts()[i].ptx);
      if (result == 0) result = stowage_pages::get_function(&functions_[i], modules_[i], texts()[i].entry);
    }
    if (result != 0) unload();
    return result;
  }

  void unload() {
    for (size_t i = 0; i < KERNELS; i++) {
      if (modules_[i] != nullptr) stowage_pages::unload_module(modules_[i]);
      modules_[i] = functions_[i] = nullptr;
    }
    if (lookaside_ != 0) stowage_pages::release(lookaside_);
    if (fault_ != nullptr) stowage_pages::release_pinned((void *)fault_);
    lookaside_ = 0;
    fault_ = nullptr;
  }

  /* Strides: bytes from a page to the next, not 0. */
  int copy(const stowage_pages::pool *sources, const stowage_pages::pool *targets, size_t pools, int64_t source_stride,
           int64_t target_stride, const stowage_pages::tables &tables, void *stream) {
    if (fault_ == nullptr || source_stride == 0 || target_stride == 0) return INVALID_VALUE;
    if (tables.entry_bytes != 4 && tables.entry_bytes != 8) return INVALID_VALUE;
    if (tables.entries == 0) return 0;
    int result = 0;
    // Pools of a launch share a record, and so their lengths.
    for (size_t first = 0, end = 1; result == 0 && first < pools; first = end++) {
      while (end < pools && end - first < MOST_POOLS && sources[end].bytes == sources[first].bytes &&
             targets[end].bytes == targets[first].bytes)
        end++;
      result = launch(sources + first, targets + first, end - first, source_stride, target_stride, tables, stream);
    }
    return result;
  }

  /* An entry of copies that are over which led outside its pool, told once; -1: there is none. */
  int64_t wrong_entry() {
    if (fault_ == nullptr || *fault_ == 0) return -1;
    const int64_t entry = (int64_t)*fault_ - 1;
    *fault_ = 0;
    return entry;
  }

private:
  static constexpr int INVALID_VALUE = 1;
  static constexpr size_t KERNELS = ${kernels.length}, MOST_POOLS = ${mostPools}, PLAN_BYTES = ${planBytes};

  static const stowage_pages::kernel_text *texts() {
    static const stowage_pages::kernel_text all[KERNELS] = {
        ${kernels.map(kernelText).join(",\n        ")}};
    return all;
  }
  static const stowage_pages::side &source_side() {
    ${sideText(code.source, "source", trueLowerBounds[0], trueExtents[0])}
    return source;
  }
  static const stowage_pages::side &target_side() {
    ${sideText(code.target, "target", trueLowerBounds[1], trueExtents[1])}
    return target;
  }

  int launch(const stowage_pages::pool *sources, const stowage_pages::pool *targets, size_t pools, int64_t source_stride,
             int64_t target_stride, const stowage_pages::tables &tables, void *stream) {
    const stowage_pages::side &source = source_side(), &target = target_side();
    uint64_t aligned = (uint64_t)source_stride | (uint64_t)target_stride;
    for (size_t i = 0; i < pools; i++)
      aligned |= (sources[i].address + (uint64_t)source.start) | (targets[i].address + (uint64_t)target.start);
    size_t chosen = 0;
    while (texts()[chosen].entry_bytes != tables.entry_bytes || texts()[chosen].counted != (tables.count_at != 0) ||
           aligned % texts()[chosen].word_bytes != 0)
      chosen++;
    const stowage_pages::kernel_text &text = texts()[chosen];
    const uint64_t tiles = ((uint64_t)tables.entries * text.pieces + text.pieces_per_block - 1) / text.pieces_per_block;
    if (tiles * pools > INT32_MAX) return INVALID_VALUE;
    alignas(16) unsigned char block[PLAN_BYTES + 8] = {};
    const size_t group_at = sizeof(stowage_pages::launch_header);
    const size_t places_at = group_at + sizeof(stowage_pages::tabled_group);
    const size_t source_at = places_at + pools * sizeof(stowage_pages::tabled_place);
    const size_t target_at = source_at + source.node_bytes;
    stowage_pages::put_nodes(block, source_at, source);
    stowage_pages::put_nodes(block, target_at, target);
    stowage_pages::launch_header head = {};
    head.lookaside = lookaside_;
    head.transfers = 1;
    head.tiles = (uint32_t)(tiles * pools);
    stowage_pages::tabled_group group = {};
    group.tiles_per_pool = (uint32_t)tiles;
    group.places = (uint32_t)places_at;
    group.pieces = text.pieces;
    group.source_node = (uint32_t)(source_at + sizeof(stowage_pages::launch_node));
    group.target_node = (uint32_t)(target_at + sizeof(stowage_pages::launch_node));
    group.elements = tables.entries;
    group.size_bytes = size;
    group.end_byte = (int64_t)tables.entries * size;
    group.count = (int64_t)tables.count_at;
    group.source_table = (int64_t)tables.source_pages;
    group.target_table = (int64_t)tables.target_pages;
    group.source_stride = source_stride;
    group.target_stride = target_stride;
    stowage_pages::bounds(source, sources[0].bytes, source_stride, &group.source_least, &group.source_most);
    stowage_pages::bounds(target, targets[0].bytes, target_stride, &group.target_least, &group.target_most);
    std::memcpy(block, &head, sizeof head);
    std::memcpy(block + group_at, &group, sizeof group);
    for (size_t i = 0; i < pools; i++) {
      stowage_pages::tabled_place place = {};
      place.source = (int64_t)sources[i].address + source.start;
      place.target = (int64_t)targets[i].address + target.start;
      std::memcpy(block + places_at + i * sizeof place, &place, sizeof place);
    }
    std::memcpy(block + PLAN_BYTES, &fault_at_, 8);
    size_t bytes = sizeof block;
    void *extra[] = {(void *)1, block, (void *)2, &bytes, nullptr};
    return stowage_pages::launch(functions_[chosen], (unsigned)(tiles * pools), 1, 1, ${threads}, 1, 1, 0, stream,
                                 nullptr, extra);
  }

  volatile uint64_t *fault_ = nullptr;
  uint64_t fault_at_ = 0, lookaside_ = 0;
  void *modules_[KERNELS] = {}, *functions_[KERNELS] = {};
};
`;
}
