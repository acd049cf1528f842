/* See stowage_cuda.h. The code section is gpu_section.h's, what a launch is told that of docs/design/gpu-generic.md. */
#define _GNU_SOURCE 1
#include "stowage_cuda.h"

#include "gpu_section.h"
#include "launch.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* --- The driver --- */

static int found(void *library, struct stowage_cuda *cuda) {
#define FIND(name) (*(void **)(void *)&cuda->name = dlsym(library, #name))
  FIND(cuCtxGetId);
  FIND(cuStreamWriteValue32_v2);
  FIND(cuStreamBatchMemOp_v2);
  FIND(cuIpcGetMemHandle);
  FIND(cuIpcOpenMemHandle_v2);
  return FIND(cuPointerGetAttributes) && FIND(cuCtxGetCurrent) && FIND(cuCtxPushCurrent_v2) &&
         FIND(cuCtxPopCurrent_v2) && FIND(cuDevicePrimaryCtxRetain) && FIND(cuStreamCreate) &&
         FIND(cuStreamSynchronize) && FIND(cuMemAlloc_v2) && FIND(cuMemFree_v2) && FIND(cuMemHostRegister_v2) &&
         FIND(cuMemHostUnregister) && FIND(cuMemHostGetDevicePointer_v2) && FIND(cuMemcpyHtoDAsync_v2) &&
         FIND(cuMemcpyDtoHAsync_v2) && FIND(cuMemcpyDtoDAsync_v2) && FIND(cuMemcpy2DAsync_v2) &&
         FIND(cuModuleLoadData) && FIND(cuModuleGetFunction) && FIND(cuLaunchKernel) && FIND(cuGetErrorName);
#undef FIND
}

const struct stowage_cuda *stowage_cuda(void) {
  static struct stowage_cuda functions;
  static const struct stowage_cuda *known;
  const struct stowage_cuda *now = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
  if (now != NULL) return now;
  void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (library == NULL) return NULL;
  /* Threads that ask at once write the same. The library stays: its functions are held. */
  if (found(library, &functions)) __atomic_store_n(&known, &functions, __ATOMIC_RELEASE);
  return __atomic_load_n(&known, __ATOMIC_ACQUIRE);
}

/* --- What a context has loaded --- */

/* A kernel's text of a given name is the same whatever artifact it came with. */
struct loaded_kernel {
  struct loaded_kernel *next;
  void *function;
  char entry[];
};

/* A move as one context has it. */
struct loaded_move {
  struct loaded_move *next;
  const unsigned char *code;
  /* Where it stands in the code: what names it here. */
  const unsigned char *place;
  struct gpu_move record;
  stowage_device_address lookaside;
  void *functions[2][GPU_MOST_KERNELS];
};

enum { BUCKETS = 256 };

struct stowage_gpu {
  const struct stowage_cuda *cuda;
  struct loaded_kernel *kernels;
  struct loaded_move *moves[BUCKETS];
};

stowage_gpu *stowage_gpu_open(void) {
  const struct stowage_cuda *cuda = stowage_cuda();
  stowage_gpu *gpu = cuda == NULL ? NULL : calloc(1, sizeof *gpu);
  if (gpu != NULL) gpu->cuda = cuda;
  return gpu;
}

void stowage_gpu_forget(stowage_gpu *gpu) {
  for (struct loaded_kernel *kernel = gpu->kernels, *next; kernel != NULL; kernel = next) {
    next = kernel->next;
    free(kernel);
  }
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct loaded_move *move = gpu->moves[i], *next; move != NULL; move = next) {
      next = move->next;
      free(move);
    }
  *gpu = (struct stowage_gpu){.cuda = gpu->cuda};
}

/* A kernel's section, which stowage_load has checked; NULL where it has none, or no such move. */
static const unsigned char *code_of(const stowage_kernel *kernel, size_t move) {
  size_t length;
  const unsigned char *code = stowage_gpu_code(kernel, &length);
  return move < stowage_moves(kernel) ? code : NULL;
}

uint64_t stowage_gpu_block_bytes(const stowage_kernel *kernel) {
  const unsigned char *code = code_of(kernel, 0);
  return code == NULL ? 0 : gpu_move_of(code, 0).block_bytes;
}

enum { INVALID_VALUE = 1 };

static int upload(const struct stowage_cuda *cuda, struct loaded_move *move) {
  const size_t length = (size_t)move->record.lookaside_bytes;
  if (length == 0) return 0;
  int result = cuda->cuMemAlloc_v2(&move->lookaside, length);
  /* In the order of the legacy default stream, and over when it returns: from pageable memory. */
  if (result == 0)
    result = cuda->cuMemcpyHtoDAsync_v2(move->lookaside, move->code + move->record.lookaside, length, NULL);
  if (result == 0) result = cuda->cuStreamSynchronize(NULL);
  if (result != 0 && move->lookaside != 0) cuda->cuMemFree_v2(move->lookaside);
  return result;
}

static int find_move(stowage_gpu *gpu, const struct stowage_transfer *transfer, struct loaded_move **found_move) {
  const unsigned char *code = code_of(transfer->kernel, transfer->move);
  if (code == NULL) return INVALID_VALUE;
  const unsigned char *place = code + sizeof(struct gpu_code) + transfer->move * sizeof(struct gpu_move);
  struct loaded_move **bucket = &gpu->moves[((uintptr_t)place >> 8) % BUCKETS];
  for (struct loaded_move *move = *bucket; move != NULL; move = move->next)
    if (move->place == place) {
      *found_move = move;
      return 0;
    }
  struct loaded_move *move = calloc(1, sizeof *move);
  if (move == NULL) return STOWAGE_CUDA_OUT_OF_MEMORY;
  move->code = code;
  move->place = place;
  move->record = gpu_move_of(code, transfer->move);
  const int result = upload(gpu->cuda, move);
  if (result != 0) {
    free(move);
    return result;
  }
  move->next = *bucket;
  *bucket = *found_move = move;
  return 0;
}

static int load_text(const struct stowage_cuda *cuda, const unsigned char *code, uint64_t at, const char *entry,
                     void **function) {
  const struct gpu_code head = gpu_code_of(code);
  char *texts = malloc((size_t)head.text_bytes + 1);
  void *module;
  if (texts == NULL) return STOWAGE_CUDA_OUT_OF_MEMORY;
  if (!gpu_texts(code + head.texts, head.matched_bytes, head.text_bytes, (unsigned char *)texts)) {
    free(texts);
    return INVALID_VALUE;
  }
  texts[head.text_bytes] = '\0';
  int result = cuda->cuModuleLoadData(&module, texts + at);
  if (result == 0) result = cuda->cuModuleGetFunction(function, module, entry);
  free(texts);
  return result;
}

static int load_function(stowage_gpu *gpu, const unsigned char *code, const char *entry, uint64_t text_at,
                         void **function) {
  for (struct loaded_kernel *kernel = gpu->kernels; kernel != NULL; kernel = kernel->next)
    if (strcmp(kernel->entry, entry) == 0) {
      *function = kernel->function;
      return 0;
    }
  struct loaded_kernel *kernel = malloc(sizeof *kernel + strlen(entry) + 1);
  if (kernel == NULL) return STOWAGE_CUDA_OUT_OF_MEMORY;
  const int result = load_text(gpu->cuda, code, text_at, entry, &kernel->function);
  if (result != 0) {
    free(kernel);
    return result;
  }
  strcpy(kernel->entry, entry);
  kernel->next = gpu->kernels;
  gpu->kernels = kernel;
  *function = kernel->function;
  return 0;
}

/* --- A launch --- */

enum { MOST_TRANSFERS = 256 };
/* The most blocks of a grid in x: CUDA C++ Programming Guide, table of technical specifications. */
#define MOST_TILES INT32_MAX
enum { POINTERS_END = 0, POINTER = 1, SIZE = 2 };

/* A transfer that is ready to be put into a launch. */
struct ready {
  const struct loaded_move *move;
  const struct gpu_kernel *kernel;
  void *function;
  stowage_device_address source, target;
  struct launch_cut cut;
  uint32_t tiles;
};

/* The first kernel whose words divide both addresses: the last takes any. */
static unsigned fitting(const struct gpu_kernel *kernels, unsigned count, stowage_device_address both) {
  unsigned index = 0;
  while (index + 1 < count && both % kernels[index].word_bytes != 0) index++;
  return index;
}

static int prepare(stowage_gpu *gpu, const struct stowage_transfer *transfer, int several, struct ready *ready) {
  struct loaded_move *move;
  const int result = find_move(gpu, transfer, &move);
  if (result != 0) return result;
  const struct gpu_move *record = &move->record;
  ready->move = move;
  ready->source = transfer->source + (uint64_t)record->source.start;
  ready->target = transfer->target + (uint64_t)record->target.start;
  const struct gpu_kernel *kernels = several ? record->several : record->kernels;
  const unsigned index =
      fitting(kernels, several ? record->several_count : record->kernel_count, ready->source | ready->target);
  ready->kernel = &kernels[index];
  ready->cut = launch_cut_of(transfer->first, transfer->length, ready->kernel->word_bytes);
  const int64_t tiles = launch_tiles(ready->cut, ready->kernel->threads, ready->kernel->unroll);
  if (tiles > MOST_TILES) return INVALID_VALUE;
  ready->tiles = (uint32_t)tiles;
  ready->function = move->functions[several][index];
  if (ready->function != NULL) return 0;
  const char *entry = (const char *)move->code + ready->kernel->entry;
  const int loaded = load_function(gpu, move->code, entry, ready->kernel->text, &ready->function);
  move->functions[several][index] = ready->function;
  return loaded;
}

struct launch {
  _Alignas(16) unsigned char block[LAUNCH_MOST_BYTES];
  uint32_t tiles;
};

static size_t nodes_of(const struct loaded_move *move) {
  return (size_t)(move->record.source.node_bytes + move->record.target.node_bytes);
}

/* Both sides' nodes; where they end. */
static size_t put_nodes(unsigned char *block, size_t at, const struct loaded_move *move) {
  const struct gpu_side *source = &move->record.source, *target = &move->record.target;
  const size_t middle =
      launch_put_nodes(block, at, move->code + source->nodes, (size_t)source->node_bytes, move->lookaside);
  return launch_put_nodes(block, middle, move->code + target->nodes, (size_t)target->node_bytes, move->lookaside);
}

/* Transfers [0, count), which have one function; how many the block had room for. Equal moves one after another share
 * nodes. */
static size_t fill(struct launch *launch, const struct ready *ready, size_t count) {
  const size_t room = ready->kernel->parameter_bytes;
  size_t taken = 0, bytes = launch_nodes_at(0), nodes_at = 0;
  uint64_t tiles = 0;
  for (; taken < count; taken++) {
    const int is_new = taken == 0 || ready[taken].move != ready[taken - 1].move;
    bytes += sizeof(struct launch_transfer) + (is_new ? nodes_of(ready[taken].move) : 0);
    tiles += ready[taken].tiles;
    if (bytes > room || tiles > MOST_TILES) break;
  }
  memset(launch->block, 0, room);
  launch->tiles = 0;
  size_t end = launch_nodes_at(taken);
  for (size_t i = 0; i < taken; i++) {
    const struct loaded_move *move = ready[i].move;
    if (i == 0 || move != ready[i - 1].move) {
      nodes_at = end;
      end = put_nodes(launch->block, end, move);
    }
    launch_put_transfer(launch->block, i, launch->tiles, ready[i].kernel->word_bytes, ready[i].source, ready[i].target,
                        nodes_at, nodes_at + (size_t)move->record.source.node_bytes, ready[i].cut);
    launch->tiles += ready[i].tiles;
  }
  launch_put_header(launch->block, (uint32_t)taken, launch->tiles);
  return taken;
}

/* Blocks have whole warps: a warp moves the bytes around the words. */
static int send(const struct stowage_cuda *cuda, struct launch *launch, const struct ready *ready, void *stream) {
  size_t bytes = ready->kernel->parameter_bytes;
  void *extra[] = {(void *)(uintptr_t)POINTER, launch->block, (void *)(uintptr_t)SIZE, &bytes,
                   (void *)(uintptr_t)POINTERS_END};
  return cuda->cuLaunchKernel(ready->function, launch->tiles, 1, 1, ready->kernel->threads, 1, 1, 0, stream, NULL,
                              extra);
}

static int by_function(const void *left, const void *right) {
  const struct ready *a = left, *b = right;
  if (a->function != b->function) return (uintptr_t)a->function < (uintptr_t)b->function ? -1 : 1;
  return a->move == b->move ? 0 : (uintptr_t)a->move < (uintptr_t)b->move ? -1 : 1;
}

/* The end of a range is rounded up to words. */
static int is_range(const struct stowage_transfer *transfer) {
  return transfer->first >= 0 && transfer->length >= 0 && transfer->first <= INT64_MAX - 16 - transfer->length;
}

static int run_some(stowage_gpu *gpu, const struct stowage_transfer *transfers, size_t count, void *stream) {
  struct ready ready[MOST_TRANSFERS];
  struct launch launch;
  size_t kept = 0, wanted = 0;
  for (size_t i = 0; i < count; i++) wanted += transfers[i].length != 0;
  for (size_t i = 0; i < count; i++) {
    if (transfers[i].length == 0) continue;
    if (!is_range(&transfers[i])) return INVALID_VALUE;
    const int result = prepare(gpu, &transfers[i], wanted > 1, &ready[kept++]);
    if (result != 0) return result;
  }
  if (kept > 1) qsort(ready, kept, sizeof *ready, by_function);
  for (size_t at = 0; at < kept;) {
    size_t alike = at + 1;
    while (alike < kept && ready[alike].function == ready[at].function) alike++;
    const size_t taken = fill(&launch, &ready[at], alike - at);
    if (taken == 0) return INVALID_VALUE;
    const int result = send(gpu->cuda, &launch, &ready[at], stream);
    if (result != 0) return result;
    at += taken;
  }
  return 0;
}

int stowage_gpu_run(stowage_gpu *gpu, const struct stowage_transfer *transfers, size_t count, void *stream) {
  int result = 0;
  for (size_t at = 0; at < count && result == 0; at += MOST_TRANSFERS)
    result = run_some(gpu, transfers + at, count - at < MOST_TRANSFERS ? count - at : MOST_TRANSFERS, stream);
  return result;
}
