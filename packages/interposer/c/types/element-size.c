#include "element-size.h"

#include "nodes.h"
#include "stowage.h"

static int is_predefined(const struct nodes *all, size_t node) { return node_combiner(all, node) == STOWAGE_NAMED; }

/* 0: they have several. */
static size_t common_size(const struct nodes *all) {
  uint64_t common = 0;
  for (size_t node = 0; node < all->count; node++) {
    if (!is_predefined(all, node)) continue;
    if (common != 0 && all->sizes[node] != common) return 0;
    common = all->sizes[node];
  }
  return (size_t)common;
}

size_t element_size(const void *description, size_t length) {
  struct nodes all;
  if (!nodes_read(&all, description, length)) return 0;
  const size_t size = common_size(&all);
  nodes_free(&all);
  return size;
}

/* A predefined type without padding, or constructors that put elements side by side. */
static int leaves_no_gap(const struct nodes *all, size_t node) {
  const uint64_t combiner = node_combiner(all, node);
  if (is_predefined(all, node)) return all->sizes[node] == (uint64_t)node_extent(all, node);
  return combiner == STOWAGE_CONTIGUOUS || combiner == STOWAGE_DUP;
}

int is_dense(const void *description, size_t length) {
  struct nodes all;
  if (!nodes_read(&all, description, length)) return 0;
  size_t node = 0;
  while (node < all.count && leaves_no_gap(&all, node)) node++;
  const int is = node == all.count;
  nodes_free(&all);
  return is;
}
