/* See stowage_cuda.h. The code section is that of packages/interposer/src/service/gpu-code.ts, what a launch is told that of
 * docs/gpu-generic.md. */
#define _GNU_SOURCE 1
#include "stowage_cuda.h"

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
  return FIND(cuPointerGetAttributes) && FIND(cuCtxGetCurrent) && FIND(cuCtxPushCurrent_v2) && FIND(cuCtxPopCurrent_v2) &&
         FIND(cuDevicePrimaryCtxRetain) && FIND(cuStreamCreate) && FIND(cuStreamSynchronize) && FIND(cuMemAlloc_v2) &&
         FIND(cuMemFree_v2) && FIND(cuMemHostRegister_v2) && FIND(cuMemHostUnregister) && FIND(cuMemHostGetDevicePointer_v2) &&
         FIND(cuMemcpyHtoDAsync_v2) && FIND(cuMemcpyDtoHAsync_v2) && FIND(cuMemcpyDtoDAsync_v2) && FIND(cuMemcpy2DAsync_v2) && FIND(cuModuleLoadData) &&
         FIND(cuModuleGetFunction) && FIND(cuLaunchKernel) && FIND(cuGetErrorName);
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

/* --- The code section --- */

enum { TEXTS = 16, MOVES_AT = 48, MOVE_BYTES = 448, MOST_KERNELS = 5 };
enum { MOVE_SOURCE = 0, MOVE_TARGET = 24, MOVE_LOOKASIDE = 48, MOVE_KERNELS = 64, MOVE_KERNEL = 72, KERNEL_BYTES = 32 };
/* The kernels for several transfers a launch: their number, and the first of them. */
enum { MOVE_SEVERAL = 68, MOVE_OF_SEVERAL = 232, MOVE_BLOCK_BYTES = 392 };
enum { KERNEL_TEXT = 0, KERNEL_ENTRY = 8, KERNEL_PARAMETERS = 16, KERNEL_WORD = 20, KERNEL_THREADS = 24, KERNEL_UNROLL = 28 };

static uint32_t u32(const unsigned char *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static uint64_t u64(const unsigned char *at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static void put32(unsigned char *at, uint32_t value) { memcpy(at, &value, sizeof value); }
static void put64(unsigned char *at, uint64_t value) { memcpy(at, &value, sizeof value); }

/* A kernel's text of a given name is the same whatever artifact it came with. */
struct loaded_kernel {
  struct loaded_kernel *next;
  void *function;
  char entry[];
};

/* A move as one context has it. */
struct loaded_move {
  struct loaded_move *next;
  const unsigned char *code, *record;
  stowage_device_address lookaside;
  void *functions[2][MOST_KERNELS];
};

enum { BUCKETS = 256 };

struct stowage_gpu {
  struct loaded_kernel *kernels;
  struct loaded_move *moves[BUCKETS];
};

stowage_gpu *stowage_gpu_open(void) { return calloc(1, sizeof(stowage_gpu)); }

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
  memset(gpu, 0, sizeof *gpu);
}

static const unsigned char *record_of(const stowage_kernel *kernel, size_t move, const unsigned char **code) {
  size_t length;
  *code = stowage_gpu_code(kernel, &length);
  if (*code == NULL || length < MOVES_AT || memcmp(*code, "STOWPTX\x04", 8) != 0 || move >= u32(*code + 8)) return NULL;
  const uint64_t at = u64(*code + TEXTS), bytes = u64(*code + TEXTS + 8);
  return at <= length && bytes <= length - at ? *code + MOVES_AT + move * MOVE_BYTES : NULL;
}

uint64_t stowage_gpu_block_bytes(const stowage_kernel *kernel) {
  const unsigned char *code, *record = record_of(kernel, 0, &code);
  return record == NULL ? 0 : u64(record + MOVE_BLOCK_BYTES);
}

/* --- Texts: packages/interposer/src/service/matched-bytes.ts writes them --- */

struct reading {
  const unsigned char *at, *end;
  int is_damaged;
};

static size_t number(struct reading *r) {
  size_t value = 0;
  for (unsigned shift = 0; shift < 63 && r->at < r->end; shift += 7) {
    const unsigned char byte = *r->at++;
    value |= (size_t)(byte & 127) << shift;
    if (byte < 128) return value;
  }
  r->is_damaged = 1;
  return 0;
}

/* All of them; NULL: no memory, or not what it should be. */
static char *texts_of(const unsigned char *code) {
  struct reading r = {code + u64(code + TEXTS), code + u64(code + TEXTS) + u64(code + TEXTS + 8), 0};
  const size_t bytes = (size_t)u64(code + TEXTS + 16);
  unsigned char *texts = malloc(bytes + 1);
  size_t made = 0;
  while (texts != NULL) {
    const size_t literals = number(&r);
    if (r.is_damaged || literals > (size_t)(r.end - r.at) || literals > bytes - made) break;
    memcpy(texts + made, r.at, literals);
    made += literals;
    r.at += literals;
    const size_t length = number(&r), distance = length == 0 ? 0 : number(&r);
    if (r.is_damaged || length > bytes - made || distance > made || (length != 0 && distance == 0)) break;
    for (size_t i = 0; i < length; i++, made++) texts[made] = texts[made - distance];
    if (length != 0) continue;
    texts[bytes] = '\0';
    if (made == bytes) return (char *)texts;
    break;
  }
  free(texts);
  return NULL;
}

enum { INVALID_VALUE = 1 };

static int upload(struct loaded_move *move) {
  const struct stowage_cuda *cuda = stowage_cuda();
  const size_t length = (size_t)u64(move->record + MOVE_LOOKASIDE + 8);
  if (length == 0) return 0;
  int result = cuda->cuMemAlloc_v2(&move->lookaside, length);
  /* In the order of the legacy default stream, and over when it returns: from pageable memory. */
  if (result == 0) result = cuda->cuMemcpyHtoDAsync_v2(move->lookaside, move->code + u64(move->record + MOVE_LOOKASIDE), length, NULL);
  return result == 0 ? cuda->cuStreamSynchronize(NULL) : result;
}

static int find_move(stowage_gpu *gpu, const struct stowage_transfer *transfer, struct loaded_move **found_move) {
  const unsigned char *code, *record = record_of(transfer->kernel, transfer->move, &code);
  if (record == NULL) return INVALID_VALUE;
  struct loaded_move **bucket = &gpu->moves[((uintptr_t)record >> 8) % BUCKETS];
  for (struct loaded_move *move = *bucket; move != NULL; move = move->next)
    if (move->record == record) {
      *found_move = move;
      return 0;
    }
  struct loaded_move *move = calloc(1, sizeof *move);
  if (move == NULL) return STOWAGE_CUDA_OUT_OF_MEMORY;
  move->code = code;
  move->record = record;
  const int result = upload(move);
  if (result != 0) {
    free(move);
    return result;
  }
  move->next = *bucket;
  *bucket = *found_move = move;
  return 0;
}

static int load_text(const unsigned char *code, uint64_t at, const char *entry, void **function) {
  const struct stowage_cuda *cuda = stowage_cuda();
  char *texts = at < u64(code + TEXTS + 16) ? texts_of(code) : NULL;
  void *module;
  if (texts == NULL) return INVALID_VALUE;
  int result = cuda->cuModuleLoadData(&module, texts + at);
  if (result == 0) result = cuda->cuModuleGetFunction(function, module, entry);
  free(texts);
  return result;
}

static int load_function(stowage_gpu *gpu, const unsigned char *code, const char *entry, uint64_t text_at, void **function) {
  for (struct loaded_kernel *kernel = gpu->kernels; kernel != NULL; kernel = kernel->next)
    if (strcmp(kernel->entry, entry) == 0) {
      *function = kernel->function;
      return 0;
    }
  struct loaded_kernel *kernel = malloc(sizeof *kernel + strlen(entry) + 1);
  if (kernel == NULL) return STOWAGE_CUDA_OUT_OF_MEMORY;
  const int result = load_text(code, text_at, entry, &kernel->function);
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

enum { HEADER_BYTES = 16, TRANSFER_BYTES = 96, NODE_BYTES = 64, MOST_BLOCK = 30720, MOST_TRANSFERS = 256 };
enum { NODE_KIND = 0, NODE_CHILD = 4, NODE_CHILDREN = 40, NODE_ENTRIES = 48, NODE_BUCKETS = 56 };
enum { KIND_DENSE, KIND_STREAM, KIND_LISTED, KIND_RUNS, KIND_BLOCKS, KIND_SEQUENCE };
enum { POINTERS_END = 0, POINTER = 1, SIZE = 2 };

/* The range in whole words, and the bytes before and behind them. */
struct cut {
  int64_t first, words, head, tail;
};

static struct cut cut_of(int64_t first, int64_t length, int64_t word) {
  const int64_t end = first + length, from = (first + word - 1) / word * word, to = end / word * word;
  if (to <= from) return (struct cut){end, 0, length, 0};
  return (struct cut){from, (to - from) / word, from - first, end - to};
}

/* A transfer that is ready to be put into a launch. */
struct ready {
  const struct loaded_move *move;
  const unsigned char *kernel;
  void *function;
  stowage_device_address source, target;
  struct cut cut;
  uint32_t tiles;
};

/* The first kernel whose words divide both addresses: the last takes any. */
static const unsigned char *fitting(const struct loaded_move *move, int several, stowage_device_address both, unsigned *index) {
  const unsigned count = u32(move->record + (several ? MOVE_SEVERAL : MOVE_KERNELS));
  const unsigned char *kernel = move->record + (several ? MOVE_OF_SEVERAL : MOVE_KERNEL);
  for (*index = 0; *index + 1 < count && *index + 1 < MOST_KERNELS; ++*index, kernel += KERNEL_BYTES)
    if (both % u32(kernel + KERNEL_WORD) == 0) break;
  return kernel;
}

static int prepare(stowage_gpu *gpu, const struct stowage_transfer *transfer, int several, struct ready *ready) {
  struct loaded_move *move;
  unsigned index;
  const int result = find_move(gpu, transfer, &move);
  if (result != 0) return result;
  ready->move = move;
  ready->source = transfer->source + u64(move->record + MOVE_SOURCE + 16);
  ready->target = transfer->target + u64(move->record + MOVE_TARGET + 16);
  ready->kernel = fitting(move, several, ready->source | ready->target, &index);
  const int64_t word = u32(ready->kernel + KERNEL_WORD);
  const int64_t each = (int64_t)u32(ready->kernel + KERNEL_THREADS) * u32(ready->kernel + KERNEL_UNROLL);
  ready->cut = cut_of(transfer->first, transfer->length, word);
  ready->tiles = (uint32_t)((ready->cut.words + each - 1) / each);
  if (ready->tiles == 0) ready->tiles = 1;
  ready->function = move->functions[several][index];
  if (ready->function != NULL) return 0;
  const char *entry = (const char *)move->code + u64(ready->kernel + KERNEL_ENTRY);
  const int loaded = load_function(gpu, move->code, entry, u64(ready->kernel + KERNEL_TEXT), &ready->function);
  move->functions[several][index] = ready->function;
  return loaded;
}

/* A child's place counts from its side's first node; in the block from the block's start. Tables get their addresses. */
static void put_nodes(unsigned char *block, size_t at, const unsigned char *nodes, size_t bytes, stowage_device_address lookaside) {
  memcpy(block + at, nodes, bytes);
  for (unsigned char *node = block + at; node < block + at + bytes; node += NODE_BYTES) {
    const uint32_t kind = u32(node + NODE_KIND);
    put32(node + NODE_CHILD, u32(node + NODE_CHILD) + (uint32_t)at);
    if (kind >= KIND_LISTED) put64(node + NODE_ENTRIES, u64(node + NODE_ENTRIES) + lookaside);
    if (kind >= KIND_RUNS) put64(node + NODE_BUCKETS, u64(node + NODE_BUCKETS) + lookaside);
    if (kind == KIND_SEQUENCE) put64(node + NODE_CHILDREN, u64(node + NODE_CHILDREN) + lookaside);
  }
}

struct launch {
  _Alignas(16) unsigned char block[MOST_BLOCK];
  uint32_t count, tiles;
  size_t end;
};

static size_t nodes_of(const struct loaded_move *move) {
  return (size_t)(u64(move->record + MOVE_SOURCE + 8) + u64(move->record + MOVE_TARGET + 8));
}

static void put_transfer(struct launch *launch, const struct ready *ready, size_t nodes_at) {
  const struct loaded_move *move = ready->move;
  unsigned char *record = launch->block + HEADER_BYTES + launch->count * TRANSFER_BYTES;
  uint32_t mode = 0;
  while (1u << mode < u32(ready->kernel + KERNEL_WORD)) mode++;
  put32(record, launch->tiles);
  put32(record + 4, mode);
  put64(record + 8, ready->source);
  put64(record + 16, ready->target);
  put32(record + 24, (uint32_t)nodes_at);
  put32(record + 28, (uint32_t)(nodes_at + u64(move->record + MOVE_SOURCE + 8)));
  put64(record + 32, (uint64_t)ready->cut.first);
  put64(record + 40, (uint64_t)ready->cut.words);
  put32(record + 48, (uint32_t)ready->cut.head);
  put32(record + 52, (uint32_t)ready->cut.tail);
  launch->count++;
  launch->tiles += ready->tiles;
}

/* Transfers [0, count), which have one function; how many the block had room for. Equal moves one after another share nodes. */
static size_t fill(struct launch *launch, const struct ready *ready, size_t count) {
  const size_t room = u32(ready->kernel + KERNEL_PARAMETERS);
  size_t taken = 0, bytes = HEADER_BYTES;
  for (; taken < count; taken++) {
    const int is_new = taken == 0 || ready[taken].move != ready[taken - 1].move;
    const size_t more = TRANSFER_BYTES + (is_new ? nodes_of(ready[taken].move) : 0);
    if (bytes + more > room || bytes + more > MOST_BLOCK) break;
    bytes += more;
  }
  memset(launch->block, 0, room < MOST_BLOCK ? room : MOST_BLOCK);
  launch->count = launch->tiles = 0;
  size_t end = HEADER_BYTES + taken * TRANSFER_BYTES, nodes_at = end;
  for (size_t i = 0; i < taken; i++) {
    const unsigned char *record = ready[i].move->record;
    if (i == 0 || ready[i].move != ready[i - 1].move) {
      const size_t source = (size_t)u64(record + MOVE_SOURCE + 8), target = (size_t)u64(record + MOVE_TARGET + 8);
      nodes_at = end;
      put_nodes(launch->block, end, ready[i].move->code + u64(record + MOVE_SOURCE), source, ready[i].move->lookaside);
      put_nodes(launch->block, end + source, ready[i].move->code + u64(record + MOVE_TARGET), target, ready[i].move->lookaside);
      end += source + target;
    }
    put_transfer(launch, &ready[i], nodes_at);
  }
  put32(launch->block + 8, launch->count);
  put32(launch->block + 12, launch->tiles);
  return taken;
}

/* Blocks have whole warps: a warp moves the bytes around the words. */
static int send(struct launch *launch, const struct ready *ready, void *stream) {
  size_t bytes = u32(ready->kernel + KERNEL_PARAMETERS);
  void *extra[] = {(void *)(uintptr_t)POINTER, launch->block, (void *)(uintptr_t)SIZE, &bytes, (void *)(uintptr_t)POINTERS_END};
  return stowage_cuda()->cuLaunchKernel(ready->function, launch->tiles, 1, 1, u32(ready->kernel + KERNEL_THREADS), 1, 1, 0, stream,
                                        NULL, extra);
}

static int by_function(const void *left, const void *right) {
  const struct ready *a = left, *b = right;
  if (a->function != b->function) return (uintptr_t)a->function < (uintptr_t)b->function ? -1 : 1;
  return a->move == b->move ? 0 : (uintptr_t)a->move < (uintptr_t)b->move ? -1 : 1;
}

static int run_some(stowage_gpu *gpu, const struct stowage_transfer *transfers, size_t count, void *stream) {
  struct ready ready[MOST_TRANSFERS];
  struct launch launch;
  size_t kept = 0, wanted = 0;
  for (size_t i = 0; i < count; i++) wanted += transfers[i].length > 0;
  for (size_t i = 0; i < count; i++) {
    if (transfers[i].length <= 0) continue;
    const int result = prepare(gpu, &transfers[i], wanted > 1, &ready[kept++]);
    if (result != 0) return result;
  }
  if (kept > 1) qsort(ready, kept, sizeof *ready, by_function);
  for (size_t at = 0; at < kept;) {
    size_t alike = at + 1;
    while (alike < kept && ready[alike].function == ready[at].function) alike++;
    const size_t taken = fill(&launch, &ready[at], alike - at);
    if (taken == 0) return INVALID_VALUE;
    const int result = send(&launch, &ready[at], stream);
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
