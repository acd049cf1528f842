/* Loads damaged artifacts: fuzz SEED COUNT PATH... Most of them get a checksum that fits again, so that what lies
 * behind it is reached. No machine code that loads is run; kernels for GPUs are launched on the driver that is linked.
 * Prints how many each status was given to, and how many artifacts were launched. */
#include "../../../../runtime/stowage.c"
#include "stowage_cuda.h"

#include <stdio.h>

int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxDestroy_v2(void *context);

/* What the driver holds of a function stays with it. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libcuda"; }
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) { return "print_suppressions=0"; }

static uint64_t state;

static uint64_t drawn(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % below;
}

static unsigned char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) exit(2);
  *length = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*length + 1);
  if (bytes == NULL || fread(bytes, 1, *length, file) != *length) exit(2);
  fclose(file);
  return bytes;
}

static void put(unsigned char *at, uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; i++) at[i] = (unsigned char)(value >> 8 * i);
}

/* Where to change something, with `room` bytes behind it: of kernels for GPUs mostly in their section, at its head or
 * among its tables; of code for processors often in its frames. */
static size_t drawn_place(const unsigned char *bytes, size_t length, size_t room) {
  size_t first = 0, reach = drawn(4) > 0 && length > 300 ? 300 : length;
  struct artifact artifact;
  if (length > sizeof artifact && drawn(4) > 0) {
    memcpy(&artifact, bytes, sizeof artifact);
    const uint64_t size = artifact.code_bytes;
    if (is_for_gpu(&artifact) && is_in(length, artifact.code, size) && size > room) {
      first = (size_t)artifact.code;
      reach = drawn(2) == 0 && size > 2000 ? 1000 : (size_t)size;
    }
    const uint64_t frames = artifact.frames_bytes;
    if (!is_for_gpu(&artifact) && is_in(length, artifact.frames, frames) && frames > room && drawn(3) == 0) {
      first = (size_t)artifact.frames;
      reach = (size_t)frames;
    }
  }
  return first + (size_t)drawn(reach - room);
}

/* Bytes, words and numbers that are special, mostly in what C reads. */
static void mutate(unsigned char *bytes, size_t length) {
  static const uint64_t special[] = {
      0, 1, 63, 64, 96, 128, 0x7fffffff, 0xffffffff, INT64_MAX, UINT64_MAX, UINT64_MAX - 63};
  for (uint64_t changes = 1 + drawn(4); changes > 0 && length > 8; changes--) {
    const size_t at = drawn_place(bytes, length, 8);
    switch (drawn(5)) {
    case 0: bytes[at] ^= (unsigned char)(1u << drawn(8)); break;
    case 1: bytes[at] = (unsigned char)drawn(256); break;
    case 2: put(bytes + at / 4 * 4, special[drawn(11)], 4); break;
    case 3: put(bytes + at / 4 * 4, u32(bytes + at / 4 * 4) + (drawn(2) == 0 ? 64u : (uint32_t)-64), 4); break;
    default: put(bytes + at / 8 * 8, special[drawn(11)], 8); break;
    }
  }
}

static void reseal(unsigned char *bytes, size_t length) {
  if (length < 32) return;
  memcpy(bytes, "STOWAGE\x1a", 8);
  put(bytes + offsetof(struct artifact, total_length), length, 8);
  put(bytes + offsetof(struct artifact, checksum), checksum_of(bytes, length), 4);
}

/* What unwinders look a place in code up in, as libgcc's unwind-dw2-fde.h has it. */
struct bases {
  void *of_text, *of_data, *function;
};
const void *_Unwind_Find_FDE(void *place, struct bases *bases);

/* Reads all that a kernel tells, and has the unwinder read its frames: the sanitizers watch. */
static uint64_t looked_at(const stowage_kernel *kernel) {
  size_t length;
  const unsigned char *description = stowage_description(kernel, &length);
  uint64_t sum = 0;
  for (size_t i = 0; i < length; i++) sum += description[i];
  for (size_t i = 0; i < stowage_moves(kernel); i++) sum += (uint64_t)stowage_move_at(kernel, i)->size;
  struct bases bases;
  if (kernel->frames != NULL && _Unwind_Find_FDE((unsigned char *)kernel->code + 1, &bases) != NULL) sum++;
  return sum;
}

enum { DEVICE_BYTES = 1 << 16 };

/* Both moves, alone and together, at addresses of any alignment. What they come to depends on the damage; that they end
 * is what counts. */
static void launch(const stowage_kernel *kernel) {
  void *context;
  stowage_device_address memory[2];
  if (cuCtxCreate_v2(&context, 0, 0) != 0) exit(2);
  if (stowage_cuda()->cuMemAlloc_v2(&memory[0], DEVICE_BYTES) != 0 ||
      stowage_cuda()->cuMemAlloc_v2(&memory[1], DEVICE_BYTES) != 0)
    exit(2);
  stowage_gpu *gpu = stowage_gpu_open();
  struct stowage_transfer transfers[3];
  const size_t moves = stowage_moves(kernel);
  for (size_t i = 0; gpu != NULL && i < 3 && moves > 0; i++) {
    const int64_t size = stowage_move_at(kernel, i % moves)->size, most = size < 512 ? size : 512;
    transfers[i] = (struct stowage_transfer){
        kernel, i % moves, memory[0] + DEVICE_BYTES / 2 + drawn(17), memory[1] + drawn(17), 0, 0};
    transfers[i].first = (int64_t)drawn((uint64_t)most + 1);
    transfers[i].length = (int64_t)drawn((uint64_t)most + 1);
    stowage_gpu_run(gpu, &transfers[i], 1, NULL);
  }
  if (gpu != NULL && moves > 0) stowage_gpu_run(gpu, transfers, 3, NULL);
  stowage_cuda()->cuStreamSynchronize(NULL);
  if (gpu != NULL) stowage_gpu_forget(gpu);
  free(gpu);
  cuCtxDestroy_v2(context);
}

enum { MOST_FILES = 64 };

int main(int argc, char **argv) {
  if (argc < 4 || argc > MOST_FILES + 3) return 2;
  const size_t files = (size_t)argc - 3;
  unsigned char *wholes[MOST_FILES];
  size_t lengths[MOST_FILES];
  for (size_t i = 0; i < files; i++) wholes[i] = read_file(argv[3 + i], &lengths[i]);
  state = strtoull(argv[1], NULL, 10) * 2654435761u + 1;
  const long count = strtol(argv[2], NULL, 10);
  long given[STOWAGE_DESCRIPTION + 1] = {0}, launched = 0;
  volatile uint64_t sum = 0;
  for (long i = 0; i < count; i++) {
    const size_t file = (size_t)drawn(files), length = lengths[file];
    const unsigned char *whole = wholes[file];
    const size_t cut = drawn(8) == 0 ? (size_t)drawn(length + 1) : length;
    /* Exactly as long as it is, so that the next byte is out of bounds. */
    unsigned char *bytes = malloc(cut == 0 ? 1 : cut);
    if (bytes == NULL) return 2;
    memcpy(bytes, whole, cut);
    mutate(bytes, cut);
    if (drawn(4) > 0) reseal(bytes, cut);
    stowage_kernel *kernel;
    const enum stowage_status status = stowage_load(bytes, cut, &kernel);
    given[status]++;
    if ((status == STOWAGE_OK) != (kernel != NULL)) return 1;
    free(bytes);
    if (kernel != NULL) sum += looked_at(kernel);
    if (kernel != NULL && kernel->gpu_code != NULL) {
      launched++;
      launch(kernel);
    }
    stowage_unload(kernel);
  }
  for (int i = 0; i <= STOWAGE_DESCRIPTION; i++) printf("%ld ", given[i]);
  printf("%ld\n", launched);
  for (size_t i = 0; i < files; i++) free(wholes[i]);
  return 0;
}
