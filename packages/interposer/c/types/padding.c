#include "padding.h"

#include "stowage.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* A described node (stowage.h): the number of words behind the first; combiner, lower bound, extent; integers,
 * addresses and children, each behind its number. Of a named type the integers are letters. */
enum { WORD = 8, AT_COMBINER = 1, AT_EXTENT = 3, AT_INTEGERS = 4, LONGEST_NAME = 64 };
enum { LONG_DOUBLE = 16, LONG_DOUBLE_BYTES = 10 };

struct nodes {
  const unsigned char *bytes;
  size_t *starts, count;
  /* Packed bytes of each; 0: not known. */
  uint64_t *sizes;
};

static uint64_t word_at(const struct nodes *all, size_t node, size_t word) {
  uint64_t value = 0;
  for (size_t i = 0; i < WORD; i++) value |= (uint64_t)all->bytes[all->starts[node] + word * WORD + i] << 8 * i;
  return value;
}

static uint64_t integer(const struct nodes *all, size_t node, size_t which) {
  return which < word_at(all, node, AT_INTEGERS) ? word_at(all, node, AT_INTEGERS + 1 + which) : 0;
}

static size_t child(const struct nodes *all, size_t node, size_t which) {
  const size_t addresses = AT_INTEGERS + 1 + (size_t)word_at(all, node, AT_INTEGERS);
  const size_t children = addresses + 1 + (size_t)word_at(all, node, addresses);
  return (size_t)word_at(all, node, children + 1 + which);
}

static int is_named(const struct nodes *all, size_t node, const char *name) {
  char text[LONGEST_NAME] = "";
  const uint64_t letters = word_at(all, node, AT_INTEGERS);
  for (uint64_t i = 0; letters < LONGEST_NAME && i < letters; i++) text[i] = (char)integer(all, node, i);
  return strcmp(text, name) == 0;
}

/* How much of a named type long doubles are, from its beginning. */
static uint64_t long_doubles(const struct nodes *all, size_t node) {
  if (LDBL_MANT_DIG != 64) return 0;
  if (is_named(all, node, "MPI_LONG_DOUBLE") || is_named(all, node, "MPI_LONG_DOUBLE_INT")) return LONG_DOUBLE;
  if (is_named(all, node, "MPI_C_LONG_DOUBLE_COMPLEX") || is_named(all, node, "MPI_CXX_LONG_DOUBLE_COMPLEX"))
    return 2 * LONG_DOUBLE;
  return 0;
}

/* Pairs have no padding in the stream: MPI 4.1, table 5.5. */
static uint64_t named_size(const struct nodes *all, size_t node) {
  if (is_named(all, node, "MPI_LONG_DOUBLE_INT")) return LONG_DOUBLE + sizeof(int);
  if (is_named(all, node, "MPI_DOUBLE_INT") || is_named(all, node, "MPI_LONG_INT")) return 8 + sizeof(int);
  if (is_named(all, node, "MPI_SHORT_INT")) return sizeof(short) + sizeof(int);
  return word_at(all, node, AT_EXTENT);
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
    const uint64_t own = all->sizes[child(all, node, i)], count = integer(all, node, 1 + i);
    if (own == 0 && count != 0) return 0;
    size += count * own;
  }
  return size;
}

/* Children come first. */
static uint64_t size_of(const struct nodes *all, size_t node) {
  const uint64_t first = integer(all, node, 0);
  switch (word_at(all, node, AT_COMBINER)) {
  case STOWAGE_NAMED: return named_size(all, node);
  case STOWAGE_STRUCT: return struct_size(all, node);
  case STOWAGE_CONTIGUOUS: return first * all->sizes[child(all, node, 0)];
  case STOWAGE_VECTOR:
  case STOWAGE_HVECTOR:
  case STOWAGE_INDEXED_BLOCK:
  case STOWAGE_HINDEXED_BLOCK: return first * integer(all, node, 1) * all->sizes[child(all, node, 0)];
  case STOWAGE_INDEXED:
  case STOWAGE_HINDEXED: return sum(all, node, 1, first) * all->sizes[child(all, node, 0)];
  case STOWAGE_SUBARRAY: return product(all, node, 1 + first, first) * all->sizes[child(all, node, 0)];
  case STOWAGE_RESIZED:
  case STOWAGE_DUP: return all->sizes[child(all, node, 0)];
  default: return 0;
  }
}

/* The part of a struct that a position is in; makes the position that part's. */
static size_t member(const struct nodes *all, size_t node, uint64_t *position) {
  uint64_t i = 0;
  for (; i + 1 < integer(all, node, 0); i++) {
    const uint64_t bytes = integer(all, node, 1 + i) * all->sizes[child(all, node, i)];
    if (*position < bytes) break;
    *position -= bytes;
  }
  return child(all, node, i);
}

static int pads(const struct nodes *all, uint64_t position) {
  size_t node = all->count - 1;
  while (word_at(all, node, AT_COMBINER) != STOWAGE_NAMED) {
    const uint64_t combiner = word_at(all, node, AT_COMBINER), size = all->sizes[node];
    if (combiner == STOWAGE_STRUCT && size == 0) return 0;
    if (size != 0) position %= size;
    node = combiner == STOWAGE_STRUCT ? member(all, node, &position) : child(all, node, 0);
  }
  position %= all->sizes[node];
  return position < long_doubles(all, node) && position % LONG_DOUBLE >= LONG_DOUBLE_BYTES;
}

int is_padding(const void *description, size_t length, uint64_t position) {
  /* A node has seven words at least. */
  const size_t most = length / (7 * WORD) + 1;
  struct nodes all = {description, malloc(most * sizeof *all.starts), 0, malloc(most * sizeof *all.sizes)};
  int padding = 0;
  if (all.starts != NULL && all.sizes != NULL && length > 0) {
    for (size_t at = 0; at < length; at += WORD * (1 + (size_t)word_at(&all, all.count++, 0))) {
      all.starts[all.count] = at;
      all.sizes[all.count] = size_of(&all, all.count);
    }
    padding = pads(&all, position);
  }
  free(all.starts);
  free(all.sizes);
  return padding;
}
