/* A libcuda.so for machines without a GPU: memory is the host's, and a launch walks the nodes in its parameters as the
 * generic kernel does, a byte at a time: dense, stream and listed ones. STUB_FAILS names a call that fails with 2, out
 * of memory. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TRANSFER = 16, DENSE = 0, STREAM = 1, LISTED = 2 };

static int fails(const char *call) {
  const char *named = getenv("STUB_FAILS");
  return named != NULL && strcmp(named, call) == 0 ? 2 : 0;
}

int cuModuleLoadData(void **module, const void *image) {
  if (strstr(image, ".target sm_75") == NULL) return 218;
  *module = (void *)image;
  return fails("cuModuleLoadData");
}
int cuModuleUnload(void *module) { return module == NULL; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = strstr(module, name);
  return *function == NULL ? 500 : fails("cuModuleGetFunction");
}
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  *address = (uint64_t)(uintptr_t)malloc(bytes);
  return fails("cuMemAlloc");
}
int cuMemFree_v2(uint64_t address) {
  free((void *)(uintptr_t)address);
  return 0;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  memcpy((void *)(uintptr_t)to, from, bytes);
  return fails("cuMemcpyHtoD");
}

static uint32_t u32(const unsigned char *at) {
  uint32_t value;
  memcpy(&value, at, 4);
  return value;
}
static int64_t i64(const unsigned char *at) {
  int64_t value;
  memcpy(&value, at, 8);
  return value;
}

static int64_t offset_of(const unsigned char *block, uint32_t node, int64_t position) {
  const unsigned char *record = block + node;
  const uint32_t kind = u32(record);
  if (kind == DENSE) return position;
  if (kind != STREAM && kind != LISTED) abort();
  const int64_t child = i64(record + 32), k = position / child;
  const unsigned char *table = (const unsigned char *)(uintptr_t)i64(block) + i64(record + 48);
  const int64_t at = kind == STREAM ? k * i64(record + 40) : (int32_t)u32(table + 4 * k);
  return at + offset_of(block, u32(record + 4), position % child);
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **parameters, void **extra) {
  const unsigned char *block = extra[1], *transfer = block + TRANSFER;
  if (function == NULL || parameters != NULL || shared != 0 || stream != NULL) return 1;
  if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != NULL) return 1;
  if (gx != u32(block + 12) || gy * gz * by * bz != 1 || bx % 32 != 0) return 1;
  const int64_t word = 1ll << u32(transfer + 4), words = i64(transfer + 40), body = i64(transfer + 32);
  const int64_t from = body - u32(transfer + 48), to = body + words * word + u32(transfer + 52);
  if (words > 0 && (i64(transfer + 8) | i64(transfer + 16)) % word != 0) return 716;
  unsigned char *source = (unsigned char *)(uintptr_t)i64(transfer + 8),
                *target = (unsigned char *)(uintptr_t)i64(transfer + 16);
  for (int64_t p = from; p < to; p++)
    target[offset_of(block, u32(transfer + 28), p)] = source[offset_of(block, u32(transfer + 24), p)];
  return fails("cuLaunchKernel");
}
