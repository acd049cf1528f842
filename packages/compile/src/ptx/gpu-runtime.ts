/**
 * C that every source with GPU kernels holds: before its tables, and behind them. It needs no header of the CUDA
 * toolkit.
 */
export const GPU_RUNTIME = {
  types: `
#include <stddef.h>
#include <string.h>

/* Of the CUDA driver API, whose ABI these are. */
typedef uint64_t device_address;
int cuModuleLoadData(void **module, const void *image);
int cuModuleUnload(void *module);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuMemAlloc_v2(device_address *address, size_t bytes);
int cuMemFree_v2(device_address address);
int cuMemcpyHtoD_v2(device_address to, const void *from, size_t bytes);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared_bytes, void *stream, void **parameters, void **extra);

struct kernel {
  const char *entry;
  const unsigned char *ptx;
  size_t parameter_bytes;
  unsigned word_bytes, threads, unroll;
  void *module, *function;
};

struct side {
  const unsigned char *nodes;
  size_t bytes;
  int64_t start;
};

/* The kernel for aligned addresses, and the one for any. */
struct move {
  struct kernel *kernels[2];
  struct side source, target;
  const unsigned char *lookaside;
  size_t lookaside_bytes;
  device_address uploaded;
};
`,
  functions: `
enum { TRANSFER = 16, NODES = 112, NODE_BYTES = 64, NODE_CHILD = 4, MOST_BLOCK = 30720 };
enum { POINTERS_END = 0, POINTER = 1, SIZE = 2 };

static void unloaded(void) {
  for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
    if (moves[i]->uploaded != 0) cuMemFree_v2(moves[i]->uploaded);
    moves[i]->uploaded = 0;
  }
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    if (kernels[i]->module != NULL) cuModuleUnload(kernels[i]->module);
    kernels[i]->module = NULL;
  }
}

static int load_all(void) {
  int result = 0;
  for (size_t i = 0; result == 0 && i < sizeof kernels / sizeof *kernels; i++) {
    result = cuModuleLoadData(&kernels[i]->module, kernels[i]->ptx);
    if (result == 0) result = cuModuleGetFunction(&kernels[i]->function, kernels[i]->module, kernels[i]->entry);
  }
  for (size_t i = 0; result == 0 && i < sizeof moves / sizeof *moves; i++) {
    if (moves[i]->lookaside_bytes == 0) continue;
    result = cuMemAlloc_v2(&moves[i]->uploaded, moves[i]->lookaside_bytes);
    if (result == 0) result = cuMemcpyHtoD_v2(moves[i]->uploaded, moves[i]->lookaside, moves[i]->lookaside_bytes);
  }
  return result;
}

static int loaded(void) {
  const int result = load_all();
  if (result != 0) unloaded();
  return result;
}

static void put32(unsigned char *at, uint32_t value) { memcpy(at, &value, 4); }
static void put64(unsigned char *at, uint64_t value) { memcpy(at, &value, 8); }

/* A child's place counts from its side's first node; in the block from the block's start. */
static void put_nodes(unsigned char *block, size_t at, const struct side *side) {
  memcpy(block + at, side->nodes, side->bytes);
  for (size_t node = at; node < at + side->bytes; node += NODE_BYTES) {
    uint32_t child;
    memcpy(&child, block + node + NODE_CHILD, 4);
    put32(block + node + NODE_CHILD, child + (uint32_t)at);
  }
}

/* The range in whole words, and the bytes before and behind them. */
struct cut {
  int64_t first, words, head, tail;
};

static struct cut cut_of(int64_t first, int64_t length, int64_t word) {
  const int64_t end = first + length, from = (first + word - 1) / word * word, to = end / word * word;
  if (to <= from) return (struct cut){end, 0, length, 0};
  return (struct cut){from, (to - from) / word, from - first, end - to};
}

static unsigned put_block(unsigned char *block, const struct move *move, const struct kernel *kernel, uint64_t source,
                          uint64_t target, struct cut cut) {
  const size_t target_at = NODES + move->source.bytes;
  const int64_t each = (int64_t)kernel->threads * kernel->unroll, tiles = (cut.words + each - 1) / each;
  uint32_t mode = 0;
  while (1u << mode < kernel->word_bytes) mode++;
  put64(block, move->uploaded);
  put32(block + 8, 1);
  put32(block + 12, (uint32_t)(tiles < 1 ? 1 : tiles));
  put32(block + TRANSFER + 4, mode);
  put64(block + TRANSFER + 8, source);
  put64(block + TRANSFER + 16, target);
  put32(block + TRANSFER + 24, NODES);
  put32(block + TRANSFER + 28, (uint32_t)target_at);
  put64(block + TRANSFER + 32, (uint64_t)cut.first);
  put64(block + TRANSFER + 40, (uint64_t)cut.words);
  put32(block + TRANSFER + 48, (uint32_t)cut.head);
  put32(block + TRANSFER + 52, (uint32_t)cut.tail);
  put_nodes(block, NODES, &move->source);
  put_nodes(block, target_at, &move->target);
  return (unsigned)(tiles < 1 ? 1 : tiles);
}

/* Blocks have whole warps: a warp moves the bytes around the words. */
static int moved(const struct move *move, uint64_t source, uint64_t target, int64_t first, int64_t length, void *stream) {
  if (length <= 0) return 0;
  const uint64_t from = source + (uint64_t)move->source.start, to = target + (uint64_t)move->target.start;
  const struct kernel *kernel = move->kernels[(from | to) % move->kernels[0]->word_bytes == 0 ? 0 : 1];
  _Alignas(8) unsigned char block[MOST_BLOCK];
  memset(block, 0, kernel->parameter_bytes);
  const unsigned tiles = put_block(block, move, kernel, from, to, cut_of(first, length, kernel->word_bytes));
  size_t bytes = kernel->parameter_bytes;
  void *extra[] = {(void *)(uintptr_t)POINTER, block, (void *)(uintptr_t)SIZE, &bytes, (void *)(uintptr_t)POINTERS_END};
  return cuLaunchKernel(kernel->function, tiles, 1, 1, kernel->threads, 1, 1, 0, stream, NULL, extra);
}
`,
} as const;
