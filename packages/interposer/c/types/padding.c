#include "padding.h"

#include "nodes.h"
#include "stowage.h"

#include <float.h>

enum { LONG_DOUBLE = 16, LONG_DOUBLE_BYTES = 10 };

/* How much of a named type long doubles are, from its beginning. */
static uint64_t long_doubles(const struct nodes *all, size_t node) {
  if (LDBL_MANT_DIG != 64) return 0;
  if (node_is_named(all, node, "MPI_LONG_DOUBLE") || node_is_named(all, node, "MPI_LONG_DOUBLE_INT"))
    return LONG_DOUBLE;
  if (node_is_named(all, node, "MPI_C_LONG_DOUBLE_COMPLEX") || node_is_named(all, node, "MPI_CXX_LONG_DOUBLE_COMPLEX"))
    return 2 * LONG_DOUBLE;
  return 0;
}

/* The part of a struct that a position is in; makes the position that part's. */
static size_t member(const struct nodes *all, size_t node, uint64_t *position) {
  size_t i = 0;
  for (; i + 1 < (size_t)node_integer(all, node, 0); i++) {
    const uint64_t bytes = (uint64_t)node_integer(all, node, 1 + i) * all->sizes[node_child(all, node, i)];
    if (*position < bytes) break;
    *position -= bytes;
  }
  return node_child(all, node, i);
}

static int pads(const struct nodes *all, uint64_t position) {
  size_t node = all->count - 1;
  while (node_combiner(all, node) != STOWAGE_NAMED) {
    const uint64_t combiner = node_combiner(all, node), size = all->sizes[node];
    if (combiner == STOWAGE_STRUCT && size == 0) return 0;
    if (size != 0) position %= size;
    node = combiner == STOWAGE_STRUCT ? member(all, node, &position) : node_child(all, node, 0);
  }
  position %= all->sizes[node];
  return position < long_doubles(all, node) && position % LONG_DOUBLE >= LONG_DOUBLE_BYTES;
}

int is_padding(const void *description, size_t length, uint64_t position) {
  struct nodes all;
  if (!nodes_read(&all, description, length)) return 0;
  const int padding = pads(&all, position);
  nodes_free(&all);
  return padding;
}
