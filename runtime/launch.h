/* What a launch of the generic kernel is told (docs/design/gpu-generic.md): a header, a record for each transfer, and
 * the nodes of their layouts, in one block that goes by value. The one place in C where it is written. */
#ifndef STOWAGE_LAUNCH_H
#define STOWAGE_LAUNCH_H

#include "formats.h"

#include <string.h>

/* A range in whole words, and the bytes before and behind them. */
struct launch_cut {
  int64_t first, words, head, tail;
};

/* `first` + `length` + `word` - 1 is an int64_t. */
static inline struct launch_cut launch_cut_of(int64_t first, int64_t length, int64_t word) {
  const int64_t end = first + length, from = (first + word - 1) / word * word, to = end / word * word;
  if (to <= from) return (struct launch_cut){end, 0, length, 0};
  return (struct launch_cut){from, (to - from) / word, from - first, end - to};
}

/* Blocks of the grid that a transfer takes; without words one, for the bytes around them. */
static inline int64_t launch_tiles(struct launch_cut cut, uint32_t threads, uint32_t unroll) {
  const int64_t each = (int64_t)threads * unroll, tiles = cut.words / each + (cut.words % each != 0);
  return tiles == 0 ? 1 : tiles;
}

static inline void launch_put_header(unsigned char *block, uint32_t transfers, uint32_t tiles) {
  const struct launch_header header = {.lookaside = 0, .transfers = transfers, .tiles = tiles};
  memcpy(block, &header, sizeof header);
}

/* Where nodes begin behind so many transfers. */
static inline size_t launch_nodes_at(size_t transfers) {
  return sizeof(struct launch_header) + transfers * sizeof(struct launch_transfer);
}

/* Transfer number `index`; both sides' nodes stand at places in the block, words are of `word` bytes. */
static inline void launch_put_transfer(unsigned char *block, size_t index, uint32_t first_tile, uint32_t word,
                                       uint64_t source, uint64_t target, size_t source_node, size_t target_node,
                                       struct launch_cut cut) {
  struct launch_transfer transfer;
  memset(&transfer, 0, sizeof transfer);
  transfer.first_tile = first_tile;
  transfer.source = source;
  transfer.target = target;
  while (1u << transfer.mode < word) transfer.mode++;
  transfer.source_node = (uint32_t)source_node;
  transfer.target_node = (uint32_t)target_node;
  transfer.body_first = cut.first;
  transfer.words = cut.words;
  transfer.head_bytes = (uint32_t)cut.head;
  transfer.tail_bytes = (uint32_t)cut.tail;
  memcpy(block + launch_nodes_at(index), &transfer, sizeof transfer);
}

/* One side's nodes, at a place in the block: children count from the block's start then, and tables have their
 * addresses. Where they end. */
static inline size_t launch_put_nodes(unsigned char *block, size_t at, const unsigned char *nodes, size_t bytes,
                                      uint64_t lookaside) {
  for (size_t from = 0; from < bytes; from += sizeof(struct launch_node)) {
    struct launch_node node;
    memcpy(&node, nodes + from, sizeof node);
    node.child += (uint32_t)at;
    if (node.kind >= LAUNCH_NODE_LISTED) node.entries += lookaside;
    if (node.kind >= LAUNCH_NODE_RUNS) node.buckets += lookaside;
    if (node.kind == LAUNCH_NODE_SEQUENCE) node.children += lookaside;
    memcpy(block + at + from, &node, sizeof node);
  }
  return at + bytes;
}

#endif
