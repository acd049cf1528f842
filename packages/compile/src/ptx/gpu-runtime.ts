import { launchRecords } from "../formats/launch-records.js";
import { runtimeFile } from "../formats/runtime-file.js";

/** The records of a launch and runtime/launch.h, which writes them, as part of another source. */
const launchSource = (): string => `
#include <assert.h>
${launchRecords()}
${runtimeFile("launch.h").replace('#include "formats.h"\n', "")}`;

/**
 * C that every source with GPU kernels holds: before its tables, and behind them. It needs no header of the CUDA
 * toolkit.
 */
export const gpuRuntime = () => ({
  types: `
#include <stddef.h>
#include <string.h>

/* Declarations of the CUDA driver API; its ABI keeps them stable. */
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
  uint32_t word_bytes, threads, unroll;
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
  functions: `${launchSource()}
enum { INVALID_VALUE = 1 };
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

/* Blocks have whole warps: a warp moves the bytes around the words. */
static int moved(const struct move *move, uint64_t source, uint64_t target, int64_t first, int64_t length, void *stream) {
  if (length <= 0) return 0;
  const uint64_t from = source + (uint64_t)move->source.start, to = target + (uint64_t)move->target.start;
  if (first < 0 || first > INT64_MAX - 16 - length) return INVALID_VALUE;
  const struct kernel *kernel = move->kernels[(from | to) % move->kernels[0]->word_bytes == 0 ? 0 : 1];
  const struct launch_cut cut = launch_cut_of(first, length, kernel->word_bytes);
  const int64_t tiles = launch_tiles(cut, kernel->threads, kernel->unroll);
  if (tiles > INT32_MAX) return INVALID_VALUE;
  _Alignas(8) unsigned char block[LAUNCH_MOST_BYTES];
  memset(block, 0, kernel->parameter_bytes);
  const size_t source_at = launch_nodes_at(1);
  const size_t target_at = launch_put_nodes(block, source_at, move->source.nodes, move->source.bytes, move->uploaded);
  launch_put_nodes(block, target_at, move->target.nodes, move->target.bytes, move->uploaded);
  launch_put_transfer(block, 0, 0, kernel->word_bytes, from, to, source_at, target_at, cut);
  launch_put_header(block, 1, (uint32_t)tiles);
  size_t bytes = kernel->parameter_bytes;
  void *extra[] = {(void *)(uintptr_t)POINTER, block, (void *)(uintptr_t)SIZE, &bytes, (void *)(uintptr_t)POINTERS_END};
  return cuLaunchKernel(kernel->function, (unsigned)tiles, 1, 1, kernel->threads, 1, 1, 0, stream, NULL, extra);
}
`,
});
