#include "element-size.h"

#include "stowage.h"

#include <stdint.h>
#include <string.h>

enum { WORD = 8, AT_COMBINER = 1, AT_EXTENT = 3, AT_LETTERS = 4, AT_NAME = 5, LONGEST_NAME = 32 };

static uint64_t word_at(const unsigned char *node, size_t word) {
  uint64_t value = 0;
  for (size_t i = 0; i < WORD; i++) value |= (uint64_t)node[word * WORD + i] << 8 * i;
  return value;
}

/* Pairs whose extent has padding: MPI 4.1, table 5.5. */
static size_t padded_pair(const char *name) {
  static const struct {
    const char *name;
    size_t size;
  } pairs[] = {{"MPI_SHORT_INT", sizeof(short) + sizeof(int)},
               {"MPI_LONG_INT", sizeof(long) + sizeof(int)},
               {"MPI_DOUBLE_INT", sizeof(double) + sizeof(int)},
               {"MPI_LONG_DOUBLE_INT", sizeof(long double) + sizeof(int)}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (strcmp(name, pairs[i].name) == 0) return pairs[i].size;
  return 0;
}

static size_t named_size(const unsigned char *node) {
  char name[LONGEST_NAME] = "";
  const uint64_t letters = word_at(node, AT_LETTERS);
  for (uint64_t i = 0; letters < LONGEST_NAME && i < letters; i++) name[i] = (char)word_at(node, AT_NAME + i);
  const size_t pair = padded_pair(name);
  return pair != 0 ? pair : (size_t)word_at(node, AT_EXTENT);
}

size_t element_size(const void *description, size_t length) {
  size_t all = 0;
  for (size_t at = 0; at < length;) {
    const unsigned char *node = (const unsigned char *)description + at;
    const size_t own = word_at(node, AT_COMBINER) == STOWAGE_NAMED ? named_size(node) : all;
    if (all != 0 && own != all) return 0;
    all = own;
    at += WORD * (1 + (size_t)word_at(node, 0));
  }
  return all;
}

int is_dense(const void *description, size_t length) {
  for (size_t at = 0; at < length;) {
    const unsigned char *node = (const unsigned char *)description + at;
    const uint64_t combiner = word_at(node, AT_COMBINER);
    if (combiner == STOWAGE_NAMED && named_size(node) != word_at(node, AT_EXTENT)) return 0;
    if (combiner != STOWAGE_NAMED && combiner != STOWAGE_CONTIGUOUS && combiner != STOWAGE_DUP) return 0;
    at += WORD * (1 + (size_t)word_at(node, 0));
  }
  return 1;
}
