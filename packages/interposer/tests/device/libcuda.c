/* A stand-in for the CUDA driver, for tests on machines without a GPU: libcuda.so.1 with the calls that programs here
 * and the interposer make. Device memory is mapped twice: where the program has its address nobody may touch it, so
 * that an MPI that does ends by SIGSEGV, as with a real device; kernels and copies use the other mapping. Work waits
 * until somebody synchronises: who forgets to finds old bytes. A launch is carried out by reading its parameter block
 * as docs/design/gpu-generic.md has it: node records, tables, words and the bytes around them. Words must be aligned,
 * and every address known.
 *
 * It shows nothing about the PTX itself (no instruction is read, only the kernel's name), about parallel threads, or
 * about time. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  INVALID_CONTEXT = 201,
  NOT_FOUND = 500,
  ILLEGAL_ADDRESS = 700,
  MISALIGNED = 716
};
enum { ON_DEVICE = 1, MANAGED, OF_POOL, REGISTERED, OF_PEER };
enum { MOST_PLACES = 4096, MOST_CONTEXTS = 16, MOST_WORK = 8192 };

struct context {
  unsigned long long id; /* 0: none */
};

struct place {
  int kind; /* 0: free */
  unsigned char *base, *data;
  size_t bytes;
  struct context *context;
  int file; /* by which other processes map it */
};

static struct context contexts[MOST_CONTEXTS];
/* Each thread's stack of contexts. */
static _Thread_local struct context *current[16];
static _Thread_local int depth;
static unsigned long long ids;
static struct place places[MOST_PLACES];
static size_t allocated, most_allocated = SIZE_MAX;
static int failure;
static unsigned launches, refusals;
/* Transfers out of memory of another process. */
static unsigned peer_reads;
/* Transfers from or to memory of the host, and values written in the order of a stream. */
static unsigned host_transfers, values;
static int loses_flags;

static struct place *place_of(uint64_t address) {
  static _Thread_local struct place *last = places;
  const unsigned char *at = (const unsigned char *)(uintptr_t)address;
  if (last->kind != 0 && at >= last->base && at < last->base + last->bytes) return last;
  for (struct place *place = places; place < places + MOST_PLACES; place++)
    if (place->kind != 0 && at >= place->base && at < place->base + place->bytes) return last = place;
  return NULL;
}

/* Where bytes that a device reaches really lie. */
static unsigned char *reach(uint64_t address, size_t bytes) {
  const struct place *place = place_of(address);
  if (place != NULL && address - (uintptr_t)place->base <= place->bytes - bytes && bytes <= place->bytes)
    return place->data + (address - (uintptr_t)place->base);
  failure = ILLEGAL_ADDRESS;
  return NULL;
}

static struct place *new_place(int kind, void *base, void *data, size_t bytes) {
  for (struct place *place = places; place < places + MOST_PLACES; place++)
    if (place->kind == 0) {
      *place = (struct place){kind, base, data, bytes, depth > 0 ? current[depth - 1] : NULL, -1};
      return place;
    }
  return NULL;
}

/* --- Contexts --- */

int cuInit(unsigned flags) {
  const char *most = getenv("STANDIN_DEVICE_BYTES");
  if (most != NULL) most_allocated = strtoull(most, NULL, 10);
  return flags == 0 ? SUCCESS : INVALID_VALUE;
}

int cuDeviceGetCount(int *count) { return *count = 1, SUCCESS; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, SUCCESS; }

int cuCtxCreate_v2(struct context **made, unsigned flags, int device) {
  (void)flags, (void)device;
  for (struct context *context = contexts; context < contexts + MOST_CONTEXTS; context++)
    if (context->id == 0) {
      context->id = ++ids;
      *made = current[depth++] = context;
      return SUCCESS;
    }
  return OUT_OF_MEMORY;
}

int cuDevicePrimaryCtxRetain(struct context **context, int device) {
  static struct context *primary;
  (void)device;
  if (primary == NULL) {
    cuCtxCreate_v2(&primary, 0, 0);
    depth--;
  }
  return *context = primary, SUCCESS;
}

int cuCtxGetCurrent(struct context **context) { return *context = depth > 0 ? current[depth - 1] : NULL, SUCCESS; }
int cuCtxGetId(const struct context *context, unsigned long long *id) { return *id = context->id, SUCCESS; }

int cuCtxPushCurrent_v2(struct context *context) {
  if (context->id == 0) return INVALID_CONTEXT;
  current[depth++] = context;
  return SUCCESS;
}

int cuCtxPopCurrent_v2(struct context **context) { return *context = current[--depth], SUCCESS; }

/* --- Work, in the order of one queue for all streams --- */

struct work {
  unsigned char *block; /* of a launch; NULL: a copy, or a value */
  size_t block_bytes;
  uint32_t *value_at, value;
  unsigned width, table_bytes;
  uint64_t to, from;
  size_t bytes, rows, to_pitch, from_pitch;
  int to_device, from_device;
};

static struct work queue[MOST_WORK];
static pthread_mutex_t working = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static size_t waiting;

static uint32_t u32(const unsigned char *at) {
  uint32_t value;
  return memcpy(&value, at, 4), value;
}

static uint64_t u64(const unsigned char *at) {
  uint64_t value;
  return memcpy(&value, at, 8), value;
}

static int64_t entry(uint64_t table, uint64_t index, unsigned bytes) {
  const unsigned char *at = reach(table + index * bytes, bytes);
  if (at == NULL) return 0;
  return bytes == 4 ? (int32_t)u32(at) : (int64_t)u64(at);
}

/* The block of a list that a position falls into. */
static uint64_t found(const unsigned char *node, uint64_t position, unsigned bytes) {
  const uint64_t entries = u64(node + 48), shift = u32(node + 28);
  uint64_t index = (uint32_t)entry(u64(node + 56), position >> shift, 4);
  while (failure == 0 && (uint64_t)entry(entries, 2 * (index + 1), bytes) <= position) index++;
  return index;
}

enum { DENSE, STREAM, LISTED, RUNS, BLOCKS, SEQUENCE };

/* Jenkins' traversal: a packed position's offset. */
static uint64_t offset_of(const struct work *work, uint32_t root, uint64_t position) {
  const unsigned bytes = work->table_bytes;
  uint64_t offset = 0, at = root;
  while (failure == 0) {
    if (at > work->block_bytes - 64) return failure = ILLEGAL_ADDRESS, 0;
    const unsigned char *node = work->block + at;
    const uint32_t kind = u32(node);
    const uint64_t size = u64(node + 32);
    at = u32(node + 4);
    if (kind == DENSE) return offset + position;
    if (kind >= RUNS) {
      const uint64_t index = found(node, position, bytes);
      position -= (uint64_t)entry(u64(node + 48), 2 * index, bytes);
      offset += (uint64_t)entry(u64(node + 48), 2 * index + 1, bytes);
      if (kind == SEQUENCE) at += (uint32_t)entry(u64(node + 40), index, 4);
    }
    if (kind == STREAM || kind == LISTED || kind == BLOCKS) {
      const uint64_t index = position / size;
      position -= index * size;
      offset += kind == LISTED ? (uint64_t)entry(u64(node + 48), index, bytes) : index * u64(node + 40);
    }
  }
  return 0;
}

static void move_word(const struct work *work, const unsigned char *transfer, uint64_t position, unsigned width) {
  const uint64_t from = u64(transfer + 8) + offset_of(work, u32(transfer + 24), position);
  const uint64_t to = u64(transfer + 16) + offset_of(work, u32(transfer + 28), position);
  if (failure == 0 && (from | to) % width != 0) failure = MISALIGNED;
  unsigned char *target = failure == 0 ? reach(to, width) : NULL;
  const unsigned char *source = failure == 0 ? reach(from, width) : NULL;
  if (failure == 0) memcpy(target, source, width);
}

static void launch(const struct work *work) {
  const unsigned char *block = work->block;
  for (uint32_t i = 0; i < u32(block + 8); i++) {
    const unsigned char *transfer = block + 16 + 96 * i;
    const struct place *source = place_of(u64(transfer + 8));
    const struct place *target = place_of(u64(transfer + 16) + u64(transfer + 32));
    if (source != NULL && source->kind == OF_PEER) peer_reads++;
    const struct place *packed = place_of(u64(transfer + 8) + u64(transfer + 32));
    host_transfers += (packed != NULL && packed->kind == REGISTERED) || (target != NULL && target->kind == REGISTERED);
    const uint64_t first = u64(transfer + 32), words = u64(transfer + 40);
    const uint32_t head = u32(transfer + 48), tail = u32(transfer + 52);
    for (uint64_t word = 0; word < words && failure == 0; word++)
      move_word(work, transfer, first + word * work->width, work->width);
    for (uint32_t byte = 0; byte < head + tail && failure == 0; byte++)
      move_word(work, transfer, byte < head ? first - head + byte : first + words * work->width + byte - head, 1);
  }
}

static void copy(const struct work *work) {
  for (size_t row = 0; row < work->rows && failure == 0; row++) {
    const uint64_t to = work->to + row * work->to_pitch, from = work->from + row * work->from_pitch;
    unsigned char *target = work->to_device ? reach(to, work->bytes) : (unsigned char *)(uintptr_t)to;
    const unsigned char *source = work->from_device ? reach(from, work->bytes) : (const unsigned char *)(uintptr_t)from;
    if (failure == 0) memcpy(target, source, work->bytes);
  }
}

static int work_off(void) {
  pthread_mutex_lock(&working);
  for (size_t i = 0; i < waiting; i++) {
    if (queue[i].block != NULL) launch(&queue[i]);
    else if (queue[i].value_at != NULL) __atomic_store_n(queue[i].value_at, queue[i].value, __ATOMIC_RELEASE);
    else copy(&queue[i]);
    free(queue[i].block);
  }
  waiting = 0;
  const int result = failure;
  failure = 0;
  pthread_mutex_unlock(&working);
  return result;
}

static int later(struct work work) {
  pthread_mutex_lock(&working);
  const int result = waiting == MOST_WORK ? work_off() : SUCCESS;
  if (result == SUCCESS) queue[waiting++] = work;
  pthread_mutex_unlock(&working);
  return result == SUCCESS ? SUCCESS : ILLEGAL_ADDRESS;
}

int cuStreamCreate(void **stream, unsigned flags) { return *stream = malloc(1), flags == 0 ? SUCCESS : INVALID_VALUE; }
int cuStreamSynchronize(void *stream) { return (void)stream, work_off(); }
/* A device that has caught up: what was begun before is over. One that lags writes it when somebody synchronises. */
int cuStreamWriteValue32_v2(void *stream, uint64_t address, uint32_t value, unsigned flags) {
  uint32_t *at = (uint32_t *)(void *)reach(address, sizeof value);
  values++;
  if (at == NULL || flags != 0) return INVALID_VALUE;
  if (loses_flags) return failure = ILLEGAL_ADDRESS, SUCCESS;
  const int result = later((struct work){.value_at = at, .value = value});
  return result != SUCCESS || getenv("STANDIN_LAGS") != NULL ? result : cuStreamSynchronize(stream);
}

struct memory_operation {
  unsigned kind;
  uint64_t address, value;
  unsigned flags;
  uint64_t rest[2];
};

int cuStreamBatchMemOp_v2(void *stream, unsigned count, const struct memory_operation *operations, unsigned flags) {
  int result = flags != 0 || count > 256 ? INVALID_VALUE : SUCCESS;
  for (unsigned i = 0; i < count && result == SUCCESS; i++) {
    const struct memory_operation *one = &operations[i];
    result = one->kind == 2 ? cuStreamWriteValue32_v2(stream, one->address, (uint32_t)one->value, one->flags)
                            : INVALID_VALUE;
  }
  return result;
}

int cuCtxSynchronize(void) { return work_off(); }

/* --- Memory --- */

static int allocate(uint64_t *address, size_t bytes, int kind) {
  if (bytes == 0 || depth == 0) return INVALID_VALUE;
  if (bytes > most_allocated - allocated) return OUT_OF_MEMORY;
  const int file = memfd_create("device", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t)bytes) != 0) return OUT_OF_MEMORY;
  void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  void *base = kind == MANAGED ? data : mmap(NULL, bytes, PROT_NONE, MAP_SHARED, file, 0);
  struct place *place = new_place(kind, base, data, bytes);
  if (place == NULL) return OUT_OF_MEMORY;
  place->file = file;
  if (kind == OF_POOL) place->context = NULL;
  allocated += bytes;
  *address = (uintptr_t)base;
  return SUCCESS;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) { return allocate(address, bytes, ON_DEVICE); }
int cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags) {
  return (void)flags, allocate(address, bytes, MANAGED);
}
int cuMemAllocAsync(uint64_t *address, size_t bytes, void *stream) {
  return (void)stream, allocate(address, bytes, OF_POOL);
}

static void drop(struct place *place) {
  if (place->kind != REGISTERED) {
    munmap(place->base, place->bytes);
    if (place->data != place->base) munmap(place->data, place->bytes);
    if (place->kind != OF_PEER) close(place->file);
    allocated -= place->bytes;
  }
  place->kind = 0;
}

int cuMemFree_v2(uint64_t address) {
  struct place *place = place_of(address);
  const int result = work_off();
  if (place == NULL || (uintptr_t)place->base != address) return INVALID_VALUE;
  drop(place);
  return result;
}

int cuCtxDestroy_v2(struct context *context) {
  work_off();
  for (struct place *place = places; place < places + MOST_PLACES; place++)
    if (place->kind != 0 && place->context == context) drop(place);
  context->id = 0;
  if (depth > 0 && current[depth - 1] == context) depth--;
  return SUCCESS;
}

/* --- Memory of other processes: a handle is the name of the file that both map --- */

struct handle {
  char name[64];
};

int cuIpcGetMemHandle(struct handle *handle, uint64_t address) {
  const struct place *place = place_of(address);
  if (place == NULL || place->kind != ON_DEVICE || getenv("STANDIN_SHARES_NOTHING") != NULL) return INVALID_VALUE;
  snprintf(handle->name, sizeof handle->name, "/proc/%d/fd/%d", (int)getpid(), place->file);
  return SUCCESS;
}

int cuIpcOpenMemHandle_v2(uint64_t *address, struct handle handle, unsigned flags) {
  if (flags != 1 || getenv("STANDIN_OPENS_NOTHING") != NULL) return INVALID_VALUE;
  const int file = open(handle.name, O_RDWR | O_CLOEXEC);
  const off_t bytes = file < 0 ? -1 : lseek(file, 0, SEEK_END);
  if (bytes <= 0) return INVALID_VALUE;
  void *data = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  void *base = mmap(NULL, (size_t)bytes, PROT_NONE, MAP_SHARED, file, 0);
  close(file);
  if (new_place(OF_PEER, base, data, (size_t)bytes) == NULL) return OUT_OF_MEMORY;
  allocated += (size_t)bytes;
  *address = (uintptr_t)base;
  return SUCCESS;
}

int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags) {
  (void)flags;
  if (getenv("STANDIN_PINS_NOTHING") != NULL) return OUT_OF_MEMORY;
  return new_place(REGISTERED, memory, memory, bytes) == NULL ? OUT_OF_MEMORY : SUCCESS;
}

int cuMemHostUnregister(void *memory) {
  struct place *place = place_of((uintptr_t)memory);
  if (place == NULL || place->kind != REGISTERED) return INVALID_VALUE;
  drop(place);
  return SUCCESS;
}

int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned flags) {
  (void)flags;
  *address = (uintptr_t)memory;
  return place_of(*address) == NULL ? INVALID_VALUE : SUCCESS;
}

/* Context 1, memory type 2, managed 8, ordinal 9. */
int cuPointerGetAttributes(unsigned count, const int *attributes, void **values, uint64_t address) {
  const struct place *place = place_of(address);
  for (unsigned i = 0; i < count; i++) {
    if (attributes[i] == 1) *(struct context **)values[i] = place == NULL ? NULL : place->context;
    if (attributes[i] == 2) *(unsigned *)values[i] = place == NULL ? 0 : place->kind == REGISTERED ? 1 : 2;
    if (attributes[i] == 8) *(unsigned char *)values[i] = place != NULL && place->kind == MANAGED;
    if (attributes[i] == 9) *(int *)values[i] = place == NULL ? -2 : 0;
  }
  return SUCCESS;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  (void)stream;
  return later((struct work){.to = to, .from = (uintptr_t)from, .bytes = bytes, .rows = 1, .to_device = 1});
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  (void)stream;
  if (place_of(from) != NULL && place_of(from)->kind == OF_PEER) peer_reads++;
  return later((struct work){.to = (uintptr_t)to, .from = from, .bytes = bytes, .rows = 1, .from_device = 1});
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  (void)stream;
  if (place_of(from) != NULL && place_of(from)->kind == OF_PEER) peer_reads++;
  return later((struct work){.to = to, .from = from, .bytes = bytes, .rows = 1, .to_device = 1, .from_device = 1});
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  const int result = cuMemcpyHtoDAsync_v2(to, from, bytes, NULL);
  return result == SUCCESS ? work_off() : result;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  const int result = cuMemcpyDtoHAsync_v2(to, from, bytes, NULL);
  return result == SUCCESS ? work_off() : result;
}

struct copy_2d {
  size_t source_x, source_y;
  unsigned source_type;
  const void *source_host;
  uint64_t source_device;
  void *source_array;
  size_t source_pitch, target_x, target_y;
  unsigned target_type;
  void *target_host;
  uint64_t target_device;
  void *target_array;
  size_t target_pitch, width, height;
};

int cuMemcpy2DAsync_v2(const struct copy_2d *c, void *stream) {
  (void)stream;
  if (c->source_pitch < c->width || c->target_pitch < c->width) return INVALID_VALUE;
  return later((struct work){.to = c->target_type == 2 ? c->target_device : (uintptr_t)c->target_host,
                             .from = c->source_type == 2 ? c->source_device : (uintptr_t)c->source_host,
                             .bytes = c->width,
                             .rows = c->height,
                             .to_pitch = c->target_pitch,
                             .from_pitch = c->source_pitch,
                             .to_device = c->target_type == 2,
                             .from_device = c->source_type == 2});
}

/* --- Kernels --- */

struct function {
  unsigned width, table_bytes;
  /* It reads the first transfer alone. */
  int is_alone;
};

int cuModuleLoadData(void **module, const char *text) {
  *module = (void *)(uintptr_t)text;
  return strstr(text, ".version") == NULL || getenv("STANDIN_REFUSES_PTX") != NULL ? (refusals++, INVALID_VALUE)
                                                                                   : SUCCESS;
}

int cuModuleGetFunction(struct function **function, void *module, const char *name) {
  unsigned position_bits, table_bits, width;
  if (strstr(module, name) == NULL) return NOT_FOUND;
  if (sscanf(name, "generic_p%u_t%u_m%u_", &position_bits, &table_bits, &width) != 3) return NOT_FOUND;
  if (width == 0 || width > 16 || (width & (width - 1)) != 0 || (table_bits != 32 && table_bits != 64))
    return NOT_FOUND;
  *function = malloc(sizeof **function);
  **function = (struct function){width, table_bits / 8, strstr(name, "_alone") != NULL};
  return SUCCESS;
}

int cuLaunchKernel(const struct function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **parameters,
                   void **extra) {
  (void)shared_bytes, (void)stream;
  if (parameters != NULL || grid_y * grid_z * block_y * block_z != 1 || block_x % 32 != 0) return INVALID_VALUE;
  if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != NULL) return INVALID_VALUE;
  const size_t bytes = *(const size_t *)extra[3];
  unsigned char *block = malloc(bytes);
  memcpy(block, extra[1], bytes);
  launches++;
  if (grid_x != u32(block + 12) || (function->is_alone && u32(block + 8) != 1)) return INVALID_VALUE;
  return later((struct work){
      .block = block, .block_bytes = bytes, .width = function->width, .table_bytes = function->table_bytes});
}

int cuGetErrorName(int result, const char **name) {
  *name = result == OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                      : "CUDA_ERROR";
  return SUCCESS;
}

/* For tests. */
unsigned standin_launches(void) { return launches; }
unsigned standin_peer_reads(void) { return peer_reads; }
/* A device that fails behind what was begun, before it has written the flag. */
void standin_lose_flags(int loses) { loses_flags = loses; }

__attribute__((destructor)) static void tell(void) {
  if (getenv("STANDIN_SAYS") != NULL)
    fprintf(stderr, "stand-in: %u launches, %u out of memory of other processes, %u from or to the host's, %u values\n",
            launches, peer_reads, host_transfers, values);
}
