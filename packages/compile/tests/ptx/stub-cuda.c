/* A libcuda.so for machines without a GPU: memory is the host's, and a launch walks the nodes in its parameters as the
 * generic kernel does, a byte at a time: dense, stream and listed ones; those of copies of pages by tables, too.
 * STUB_FAILS names a call that fails with 2, out of memory. */
#define _POSIX_C_SOURCE 200809L
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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
  /* The driver keeps no pointer to the text: a function is a copy of its name here. */
  *function = strstr(module, name) == NULL ? NULL : strdup(name);
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

int cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  *address = malloc(bytes);
  return flags != 2 ? 1 : fails("cuMemHostAlloc");
}
int cuMemFreeHost(void *address) {
  free(address);
  return 0;
}
/* All memory counts as pinned but what STUB_PAGEABLE names, an address in decimal. */
int cuPointerGetAttribute(uint64_t *value, int attribute, uint64_t address) {
  const char *pageable = getenv("STUB_PAGEABLE");
  if (attribute != 3 || (pageable != NULL && strtoull(pageable, NULL, 10) == address)) return 1;
  *value = address;
  return 0;
}

/* As TABLED_FORMAT has them. */
enum { HEADER = 16, GROUP_BYTES = 136, PLACE_BYTES = 16 };

static int64_t entry_of(const char *name, int64_t table, int64_t k) {
  int64_t entry;
  if (strstr(name, "_u32") != NULL) return u32((const unsigned char *)(uintptr_t)table + 4 * k);
  memcpy(&entry, (const unsigned char *)(uintptr_t)table + 8 * k, 8);
  return entry;
}

/* One pool: each entry's page, a byte at a time; a wrong entry is told of, -1 skipped. */
static void copy_pages(const char *name, const unsigned char *block, const unsigned char *place, uint64_t *fault) {
  const unsigned char *group = block + HEADER;
  const int64_t skipped = strstr(name, "_u32") != NULL ? (int64_t)UINT32_MAX : -1;
  int64_t pages = u32(group + 24);
  if (strstr(name, "_counted") != NULL) {
    const int64_t told = u32((const unsigned char *)(uintptr_t)i64(group + 64));
    if (told < pages) pages = told;
  }
  for (int64_t k = 0; k < pages; k++) {
    const int64_t from = entry_of(name, i64(group + 72), k), to = entry_of(name, i64(group + 80), k);
    if (from == skipped || to == skipped) continue;
    if (from < i64(group + 104) || from > i64(group + 112) || to < i64(group + 120) || to > i64(group + 128)) {
      *fault = (uint64_t)k + 1;
      continue;
    }
    const unsigned char *source = (const unsigned char *)(uintptr_t)(i64(place) + from * i64(group + 88));
    unsigned char *target = (unsigned char *)(uintptr_t)(i64(place + 8) + to * i64(group + 96));
    for (int64_t p = 0; p < i64(group + 32); p++)
      target[offset_of(block, u32(group + 20), p)] = source[offset_of(block, u32(group + 16), p)];
  }
}

static int launch_pages(const char *name, unsigned gx, unsigned bx, const unsigned char *block, size_t bytes) {
  const unsigned char *group = block + HEADER;
  const unsigned tiles = u32(group + 4), pools = tiles == 0 ? 0 : gx / tiles;
  uint64_t fault;
  memcpy(&fault, block + bytes - 8, 8);
  unsigned width;
  if (bx != 256 || gx != u32(block + 12) || gx != pools * tiles || strstr(name, "_pools_") == NULL) return 1;
  if (u32(block + 8) != 1 || u32(group) != 0 || u32(group + 8) != HEADER + GROUP_BYTES) return 1;
  if (sscanf(name, "tabled_w%u", &width) != 1) return 1;
  for (unsigned i = 0; i < pools; i++) {
    const unsigned char *place = group + GROUP_BYTES + i * PLACE_BYTES;
    if ((i64(place) | i64(place + 8) | i64(group + 88) | i64(group + 96)) % width != 0) return 716;
    copy_pages(name, block, place, (uint64_t *)(uintptr_t)fault);
  }
  return fails("cuLaunchKernel");
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **parameters, void **extra) {
  const unsigned char *block = extra[1], *transfer = block + TRANSFER;
  if (function == NULL || parameters != NULL || shared != 0) return 1;
  if (stream != NULL && stream != (void *)(uintptr_t)7) return 1;
  if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != NULL) return 1;
  if (strncmp(function, "tabled_", 7) == 0) return launch_pages(function, gx, bx, block, *(const size_t *)extra[3]);
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
