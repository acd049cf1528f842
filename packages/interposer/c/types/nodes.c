#include "nodes.h"

#include "stowage.h"

#include <stdlib.h>
#include <string.h>

/* The number of words behind the first; combiner, lower bound, extent; integers, addresses and children, each behind
 * its number. Of a named type the integers are letters. */
enum { WORD = 8, AT_COMBINER = 1, AT_LOWER_BOUND = 2, AT_EXTENT = 3, AT_INTEGERS = 4, LEAST_WORDS = 7 };
enum { LONGEST_NAME = 64, LONG_DOUBLE = 16 };

static uint64_t word_at(const struct nodes *all, size_t node, size_t word) {
  uint64_t value = 0;
  for (size_t i = 0; i < WORD; i++) value |= (uint64_t)all->bytes[all->starts[node] + word * WORD + i] << 8 * i;
  return value;
}

/* A list's entry, behind its number. */
static uint64_t listed(const struct nodes *all, size_t node, size_t list, size_t which) {
  return which < word_at(all, node, list) ? word_at(all, node, list + 1 + which) : 0;
}
static size_t addresses_of(const struct nodes *all, size_t node) {
  return AT_INTEGERS + 1 + (size_t)word_at(all, node, AT_INTEGERS);
}

uint64_t node_combiner(const struct nodes *all, size_t node) { return word_at(all, node, AT_COMBINER); }
int64_t node_lower_bound(const struct nodes *all, size_t node) { return (int64_t)word_at(all, node, AT_LOWER_BOUND); }
int64_t node_extent(const struct nodes *all, size_t node) { return (int64_t)word_at(all, node, AT_EXTENT); }

int64_t node_integer(const struct nodes *all, size_t node, size_t which) {
  return (int64_t)listed(all, node, AT_INTEGERS, which);
}

int64_t node_address(const struct nodes *all, size_t node, size_t which) {
  return (int64_t)listed(all, node, addresses_of(all, node), which);
}

size_t node_child(const struct nodes *all, size_t node, size_t which) {
  const size_t addresses = addresses_of(all, node);
  return (size_t)listed(all, node, addresses + 1 + (size_t)word_at(all, node, addresses), which);
}

int node_is_named(const struct nodes *all, size_t node, const char *name) {
  char text[LONGEST_NAME] = "";
  const uint64_t letters = word_at(all, node, AT_INTEGERS);
  for (uint64_t i = 0; letters < LONGEST_NAME && i < letters; i++) text[i] = (char)node_integer(all, node, i);
  return strcmp(text, name) == 0;
}

/* Pairs have no padding in the stream: MPI 4.1, table 5.5. */
static uint64_t named_size(const struct nodes *all, size_t node) {
  if (node_is_named(all, node, "MPI_LONG_DOUBLE_INT")) return LONG_DOUBLE + sizeof(int);
  if (node_is_named(all, node, "MPI_DOUBLE_INT") || node_is_named(all, node, "MPI_LONG_INT")) return 8 + sizeof(int);
  if (node_is_named(all, node, "MPI_SHORT_INT")) return sizeof(short) + sizeof(int);
  return (uint64_t)node_extent(all, node);
}

static uint64_t integer(const struct nodes *all, size_t node, size_t which) {
  return (uint64_t)node_integer(all, node, which);
}

static uint64_t sum(const struct nodes *all, size_t node, size_t from, uint64_t count) {
  uint64_t all_of_them = 0;
  for (uint64_t i = 0; i < count; i++) all_of_them += integer(all, node, from + i);
  return all_of_them;
}

static uint64_t product(const struct nodes *all, size_t node, size_t from, uint64_t count) {
  uint64_t all_of_them = 1;
  for (uint64_t i = 0; i < count; i++) all_of_them *= integer(all, node, from + i);
  return all_of_them;
}

static uint64_t struct_size(const struct nodes *all, size_t node) {
  uint64_t size = 0;
  for (uint64_t i = 0; i < integer(all, node, 0); i++) {
    const uint64_t own = all->sizes[node_child(all, node, i)], count = integer(all, node, 1 + i);
    if (own == 0 && count != 0) return 0;
    size += count * own;
  }
  return size;
}

/* Children come first. */
static uint64_t size_of(const struct nodes *all, size_t node) {
  const uint64_t first = integer(all, node, 0);
  switch (node_combiner(all, node)) {
  case STOWAGE_NAMED: return named_size(all, node);
  case STOWAGE_STRUCT: return struct_size(all, node);
  case STOWAGE_CONTIGUOUS: return first * all->sizes[node_child(all, node, 0)];
  case STOWAGE_VECTOR:
  case STOWAGE_HVECTOR:
  case STOWAGE_INDEXED_BLOCK:
  case STOWAGE_HINDEXED_BLOCK: return first * integer(all, node, 1) * all->sizes[node_child(all, node, 0)];
  case STOWAGE_INDEXED:
  case STOWAGE_HINDEXED: return sum(all, node, 1, first) * all->sizes[node_child(all, node, 0)];
  case STOWAGE_SUBARRAY: return product(all, node, 1 + first, first) * all->sizes[node_child(all, node, 0)];
  case STOWAGE_RESIZED:
  case STOWAGE_DUP: return all->sizes[node_child(all, node, 0)];
  default: return 0;
  }
}

int nodes_read(struct nodes *all, const void *description, size_t length) {
  const size_t most = length / (LEAST_WORDS * WORD) + 1;
  *all = (struct nodes){description, malloc(most * sizeof *all->starts), 0, malloc(most * sizeof *all->sizes)};
  const int has_memory = all->starts != NULL && all->sizes != NULL;
  for (size_t at = 0; has_memory && at < length; at += WORD * (1 + (size_t)word_at(all, all->count++, 0))) {
    all->starts[all->count] = at;
    all->sizes[all->count] = size_of(all, all->count);
  }
  if (all->count > 0) return 1;
  nodes_free(all);
  return 0;
}

void nodes_free(struct nodes *all) {
  free(all->starts);
  free(all->sizes);
}
