#include "share.h"

#include "exact.h"

static int64_t ceiling(int64_t value, int64_t by) { return value / by + (value % by != 0); }

static int is_order(int64_t order) { return order == STOWAGE_ORDER_C || order == STOWAGE_ORDER_FORTRAN; }

static int dimension_is_sound(const struct darray *array, int64_t i) {
  const int64_t size = array->sizes[i], argument = array->arguments[i], processes = array->processes[i];
  if (size < 1 || processes < 1 || (argument < 1 && argument != STOWAGE_DISTRIBUTE_DFLT_DARG)) return 0;
  switch (array->distributions[i]) {
  case STOWAGE_DISTRIBUTE_NONE: return processes == 1;
  case STOWAGE_DISTRIBUTE_BLOCK:
    return argument == STOWAGE_DISTRIBUTE_DFLT_DARG || argument >= ceiling(size, processes);
  default: return array->distributions[i] == STOWAGE_DISTRIBUTE_CYCLIC;
  }
}

int darray_is_sound(const struct darray *array) {
  int64_t processes = 1;
  int is_over = 0;
  if (array->dimensions < 1 || !is_order(array->order)) return 0;
  for (int64_t i = 0; i < array->dimensions; i++) {
    if (!dimension_is_sound(array, i)) return 0;
    processes = product_of(&is_over, processes, array->processes[i]);
  }
  return !is_over && processes == array->size && array->rank >= 0 && array->rank < array->size;
}

static int64_t block_of(const struct darray *array, int64_t i) {
  const int64_t size = array->sizes[i], argument = array->arguments[i];
  const int is_default = argument == STOWAGE_DISTRIBUTE_DFLT_DARG;
  switch (array->distributions[i]) {
  case STOWAGE_DISTRIBUTE_CYCLIC: return is_default ? 1 : lesser(argument, size);
  case STOWAGE_DISTRIBUTE_BLOCK: return is_default ? ceiling(size, array->processes[i]) : lesser(argument, size);
  default: return size;
  }
}

static struct share share_of(int64_t size, int64_t block, int64_t coordinate, int64_t processes) {
  const int64_t blocks = ceiling(size, block);
  const int64_t mine = blocks > coordinate ? ceiling(blocks - coordinate, processes) : 0;
  if (mine == 0) return (struct share){.block = block, .stride = block};
  const int64_t last = coordinate + (mine - 1) * processes;
  const int64_t rest = last == blocks - 1 ? size - last * block : block;
  /* A lone block has no stride: that of several may be beyond 64 bits. */
  return (struct share){.first = coordinate * block,
                        .block = block,
                        .stride = mine > 1 ? processes * block : block,
                        .full = rest < block ? mine - 1 : mine,
                        .rest = rest < block ? rest : 0};
}

void shares_of(const struct darray *array, struct share *shares) {
  int64_t rank = array->rank;
  /* The last dimension of the grid varies fastest. */
  for (int64_t i = array->dimensions - 1; i >= 0; i--) {
    const int64_t processes = array->processes[i];
    shares[i] = share_of(array->sizes[i], block_of(array, i), rank % processes, processes);
    rank /= processes;
  }
}

int subarray_is_sound(const struct subarray *box) {
  if (box->dimensions < 1 || !is_order(box->order)) return 0;
  for (int64_t i = 0; i < box->dimensions; i++) {
    const int64_t size = box->sizes[i], part = box->subsizes[i], start = box->starts[i];
    if (part < 1 || part > size || start < 0 || start > size - part) return 0;
  }
  return 1;
}
