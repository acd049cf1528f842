/* The code section of kernels for GPUs: its records, and what stowage_load checks of it. Behind that check a launch of
 * one of its moves reads nothing outside the section, divides by no 0, and the walk of a kernel of ours
 * (docs/design/gpu-generic.md) ends and leaves no table. The kernels themselves are code, which is believed. */
#ifndef STOWAGE_GPU_SECTION_H
#define STOWAGE_GPU_SECTION_H

#include "formats.h"

#include <string.h>

/* --- Texts: packages/compile/src/ptx/matched-bytes.ts writes them --- */

struct gpu_matched {
  const unsigned char *at, *end;
  int is_damaged;
};

static inline uint64_t gpu_matched_number(struct gpu_matched *m) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 63 && m->at < m->end; shift += 7) {
    const unsigned char byte = *m->at++;
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return value;
  }
  m->is_damaged = 1;
  return 0;
}

/* Whether they are `length` bytes, which `out` gets unless it is NULL. */
static inline int gpu_texts(const unsigned char *bytes, uint64_t matched_bytes, uint64_t length, unsigned char *out) {
  struct gpu_matched m = {bytes, bytes + matched_bytes, 0};
  for (uint64_t made = 0;;) {
    const uint64_t literals = gpu_matched_number(&m);
    if (m.is_damaged || literals > (uint64_t)(m.end - m.at) || literals > length - made) return 0;
    if (out != NULL) memcpy(out + made, m.at, (size_t)literals);
    made += literals;
    m.at += literals;
    const uint64_t again = gpu_matched_number(&m), distance = again == 0 ? 0 : gpu_matched_number(&m);
    if (m.is_damaged || again > length - made || distance > made || (again != 0 && distance == 0)) return 0;
    if (again == 0) return made == length;
    for (uint64_t i = 0; out != NULL && i < again; i++) out[made + i] = out[made + i - distance];
    made += again;
  }
}

/* --- Tables --- */

/* The section, a move's lookaside buffer in it, and how many more bytes of tables may be looked at. No two nodes share
 * a table: a section is checked in a time that its length bounds. */
struct gpu_check {
  const unsigned char *bytes, *tables;
  uint64_t length, table_length, budget;
  unsigned table_bytes;
};

static inline int gpu_holds(uint64_t length, uint64_t at, uint64_t count, uint64_t each) {
  return at <= length && count <= (length - at) / each;
}

static inline int gpu_takes(struct gpu_check *check, uint64_t at, uint64_t count, uint64_t each) {
  if (at % each != 0 || !gpu_holds(check->table_length, at, count, each) || count * each > check->budget) return 0;
  check->budget -= count * each;
  return 1;
}

static inline uint32_t gpu_u32(const unsigned char *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

/* Prefix sums are no displacements: none is below 0. */
static inline uint64_t gpu_prefix(const struct gpu_check *check, const struct launch_node *node, uint64_t index) {
  const unsigned char *at = check->tables + node->entries + index * 2 * check->table_bytes;
  uint64_t value;
  if (check->table_bytes == 4) return gpu_u32(at);
  memcpy(&value, at, sizeof value);
  return value;
}

/* floor(2^bits / divisor) + 1, for divisors up to 2^63: packages/ptx/src/build/division.ts. */
static inline uint64_t gpu_magic(uint64_t divisor, unsigned bits) {
  uint64_t quotient = divisor == 1, rest = divisor != 1;
  for (; bits > 0; bits--) {
    rest <<= 1;
    quotient = quotient << 1 | (rest >= divisor);
    if (rest >= divisor) rest -= divisor;
  }
  return quotient + 1;
}

static inline int gpu_divides(const struct launch_node *node) {
  unsigned shift = 0;
  if (node->child_bytes == 0 || node->child_bytes > UINT64_C(1) << 62) return 0;
  while (UINT64_C(1) << shift < node->child_bytes) shift++;
  const int is_narrow = shift <= 31;
  return node->shift == shift && node->multiplier == gpu_magic(node->child_bytes, 63 + shift) &&
         node->narrow_shift == (is_narrow ? shift : 0) &&
         node->narrow_multiplier == (is_narrow ? gpu_magic(node->child_bytes, 31 + shift) : 0);
}

/* How many blocks a searched list of `size` bytes has; 0: it is none. Every position falls into a bucket, whose first
 * block begins at or before it, and into a block behind which another begins. */
static inline uint64_t gpu_blocks(struct gpu_check *check, const struct launch_node *node, uint64_t size,
                                  uint64_t divisor) {
  const uint64_t pair = 2 * check->table_bytes;
  uint64_t blocks = 0, prefix = 0;
  if (!gpu_takes(check, node->entries, 1, pair) || gpu_prefix(check, node, 0) != 0) return 0;
  while (prefix < size) {
    if (!gpu_holds(check->table_length, node->entries, blocks + 2, pair) || check->budget < pair) return 0;
    check->budget -= pair;
    const uint64_t next = gpu_prefix(check, node, ++blocks);
    if (next <= prefix || next > size || (next - prefix) % divisor != 0) return 0;
    prefix = next;
  }
  if (blocks > UINT32_MAX || node->bucket_shift > 62) return 0;
  const uint64_t buckets = ((size - 1) >> node->bucket_shift) + 2;
  if (!gpu_takes(check, node->buckets, buckets, sizeof(uint32_t))) return 0;
  for (uint64_t i = 0; i < buckets; i++) {
    const uint32_t block = gpu_u32(check->tables + node->buckets + i * sizeof(uint32_t));
    if (block >= blocks || (i + 1 < buckets && gpu_prefix(check, node, block) > i << node->bucket_shift)) return 0;
  }
  return blocks;
}

/* --- Nodes --- */

enum { GPU_MOST_NODES = LAUNCH_MOST_BYTES / sizeof(struct launch_node) };

/* Packed bytes of each node, once its parents are known. */
struct gpu_nodes {
  const unsigned char *at;
  uint32_t count;
  uint64_t parents[GPU_MOST_NODES], sizes[GPU_MOST_NODES];
};
#define GPU_UNKNOWN_SIZE UINT64_MAX

static inline struct launch_node gpu_node(const struct gpu_nodes *nodes, uint32_t index) {
  struct launch_node node;
  memcpy(&node, nodes->at + index * sizeof node, sizeof node);
  return node;
}

/* Children of a node; a sequence has as many as members. */
static inline uint64_t gpu_child_count(const struct launch_node *node) {
  return node->kind == LAUNCH_NODE_DENSE ? 0 : node->kind == LAUNCH_NODE_SEQUENCE ? node->child_bytes : 1;
}

static inline uint32_t gpu_child(const struct gpu_check *check, const struct launch_node *node, uint64_t i) {
  const int is_sequence = node->kind == LAUNCH_NODE_SEQUENCE;
  return (is_sequence ? gpu_u32(check->tables + node->children + i * sizeof(uint32_t)) : node->child) /
         (uint32_t)sizeof *node;
}

/* Whether a node's children are nodes; each of them learns of its parent. */
static inline int gpu_has_children(struct gpu_check *check, struct gpu_nodes *nodes, const struct launch_node *node) {
  const uint64_t count = gpu_child_count(node);
  if (node->kind > LAUNCH_NODE_SEQUENCE) return 0;
  if (node->kind == LAUNCH_NODE_SEQUENCE &&
      (node->child != 0 || !gpu_takes(check, node->children, count, sizeof(uint32_t))))
    return 0;
  if (node->kind != LAUNCH_NODE_SEQUENCE && node->child % sizeof *node != 0) return 0;
  for (uint64_t i = 0; i < count; i++) {
    const uint32_t child = gpu_child(check, node, i);
    if (child >= nodes->count || gpu_node(nodes, child).kind > LAUNCH_NODE_SEQUENCE) return 0;
    if (node->kind == LAUNCH_NODE_SEQUENCE &&
        gpu_u32(check->tables + node->children + i * sizeof(uint32_t)) % sizeof *node != 0)
      return 0;
    nodes->parents[child]++;
  }
  return 1;
}

/* Whether a node of `size` bytes is sound, and so are its tables. Node 0 repeats elements, any number of them. */
static inline int gpu_is_sound(struct gpu_check *check, const struct gpu_nodes *nodes, const struct launch_node *node,
                               uint64_t size, int repeats) {
  const uint64_t members = node->child_bytes;
  if (repeats)
    return node->kind == LAUNCH_NODE_DENSE ||
           (node->kind == LAUNCH_NODE_STREAM && gpu_divides(node) && node->child == sizeof *node);
  if (node->kind == LAUNCH_NODE_DENSE) return node->child_bytes == size;
  if (size == 0) return node->kind == LAUNCH_NODE_SEQUENCE || gpu_divides(node);
  if (node->kind == LAUNCH_NODE_SEQUENCE) return gpu_blocks(check, node, size, 1) == members;
  if (!gpu_divides(node) || size % node->child_bytes != 0) return 0;
  if (node->kind == LAUNCH_NODE_LISTED)
    return gpu_takes(check, node->entries, size / node->child_bytes, check->table_bytes);
  if (node->kind == LAUNCH_NODE_RUNS && gpu_node(nodes, node->child / (uint32_t)sizeof *node).kind != LAUNCH_NODE_DENSE)
    return 0;
  return node->kind == LAUNCH_NODE_STREAM || gpu_blocks(check, node, size, node->child_bytes) != 0;
}

/* One size for each node, whichever parent it is reached by. */
static inline int gpu_settle(const struct gpu_check *check, struct gpu_nodes *nodes, const struct launch_node *node,
                             uint64_t size, uint64_t i) {
  uint64_t *known = &nodes->sizes[gpu_child(check, node, i)];
  uint64_t own = size == 0 ? 0 : node->child_bytes;
  if (size != 0 && node->kind == LAUNCH_NODE_SEQUENCE)
    own = gpu_prefix(check, node, i + 1) - gpu_prefix(check, node, i);
  if (*known == GPU_UNKNOWN_SIZE) *known = own;
  return *known == own;
}

/* One side's nodes, of which 0 repeats elements of `size` bytes and 1 is one: parents before their children (Kahn, CACM
 * 1962), so that a circle leaves nodes over. */
static inline int gpu_side_is_sound(struct gpu_check *check, const struct gpu_side *side, uint64_t size) {
  struct gpu_nodes nodes = {.at = check->bytes + side->nodes};
  uint32_t ready[GPU_MOST_NODES], waiting = 0, done = 0;
  nodes.count = (uint32_t)(side->node_bytes / sizeof(struct launch_node));
  for (uint32_t i = 0; i < nodes.count; i++) nodes.sizes[i] = i == 1 ? size : GPU_UNKNOWN_SIZE;
  for (uint32_t i = 0; i < nodes.count; i++) {
    const struct launch_node node = gpu_node(&nodes, i);
    if (!gpu_has_children(check, &nodes, &node)) return 0;
  }
  for (uint32_t i = 0; i < nodes.count; i++)
    if (nodes.parents[i] == 0) ready[waiting++] = i;
  for (; waiting > 0; done++) {
    const uint32_t index = ready[--waiting];
    const struct launch_node node = gpu_node(&nodes, index);
    const uint64_t own = index == 0 ? size : nodes.sizes[index], children = gpu_child_count(&node);
    if (own == GPU_UNKNOWN_SIZE || !gpu_is_sound(check, &nodes, &node, own, index == 0)) return 0;
    for (uint64_t i = 0; i < children; i++) {
      const uint32_t child = gpu_child(check, &node, i);
      if (!gpu_settle(check, &nodes, &node, own, i)) return 0;
      if (--nodes.parents[child] == 0) ready[waiting++] = child;
    }
  }
  return done == nodes.count;
}

/* --- Moves --- */

/* The widest words first; the last take any address. Blocks have whole warps. */
static inline int gpu_kernels_are_sound(const struct gpu_check *check, const struct gpu_code *code,
                                        const struct gpu_kernel *kernels, uint32_t count, uint64_t node_bytes) {
  if (count < 1 || count > GPU_MOST_KERNELS) return 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct gpu_kernel *k = &kernels[i];
    const uint32_t word = k->word_bytes;
    if (k->text >= code->text_bytes || k->entry >= check->length) return 0;
    if (memchr(check->bytes + k->entry, '\0', (size_t)(check->length - k->entry)) == NULL) return 0;
    if (k->parameter_bytes > LAUNCH_MOST_BYTES || k->parameter_bytes % 8 != 0) return 0;
    if (k->parameter_bytes < sizeof(struct launch_header) + sizeof(struct launch_transfer) + node_bytes) return 0;
    if (word == 0 || word > 16 || (word & (word - 1)) != 0 || (i > 0 && word >= kernels[i - 1].word_bytes)) return 0;
    if (k->threads == 0 || k->threads > 1024 || k->threads % 32 != 0 || k->unroll == 0 || k->unroll > 1024) return 0;
  }
  return kernels[count - 1].word_bytes == 1;
}

static inline int gpu_nodes_are_held(const struct gpu_check *check, const struct gpu_side *side) {
  const uint64_t node = sizeof(struct launch_node);
  return side->node_bytes >= 2 * node && side->node_bytes <= LAUNCH_MOST_BYTES && side->node_bytes % node == 0 &&
         gpu_holds(check->length, side->nodes, side->node_bytes, 1);
}

static inline struct gpu_move gpu_move_of(const unsigned char *code, size_t move) {
  struct gpu_move record;
  memcpy(&record, code + sizeof(struct gpu_code) + move * sizeof record, sizeof record);
  return record;
}

static inline struct gpu_code gpu_code_of(const unsigned char *code) {
  struct gpu_code head;
  memcpy(&head, code, sizeof head);
  return head;
}

/* `size`: packed bytes of one element. */
static inline int gpu_move_is_sound(struct gpu_check *check, const struct gpu_code *code, const struct gpu_move *move,
                                    uint64_t size) {
  if (!gpu_nodes_are_held(check, &move->source) || !gpu_nodes_are_held(check, &move->target)) return 0;
  const uint64_t node_bytes = move->source.node_bytes + move->target.node_bytes;
  if (!gpu_holds(check->length, move->lookaside, move->lookaside_bytes, 1) || node_bytes > check->budget) return 0;
  if (move->table_bytes != 4 && move->table_bytes != 8) return 0;
  check->budget -= node_bytes;
  check->tables = check->bytes + move->lookaside;
  check->table_length = move->lookaside_bytes;
  check->table_bytes = move->table_bytes;
  return gpu_kernels_are_sound(check, code, move->kernels, move->kernel_count, node_bytes) &&
         gpu_kernels_are_sound(check, code, move->several, move->several_count, node_bytes) &&
         gpu_side_is_sound(check, &move->source, size) && gpu_side_is_sound(check, &move->target, size);
}

/* Whether the bytes are a section of `moves` moves. */
static inline int gpu_head_is_sound(const unsigned char *bytes, size_t length, size_t moves) {
  if (length < sizeof(struct gpu_code)) return 0;
  const struct gpu_code code = gpu_code_of(bytes);
  if (memcmp(code.magic, "STOWPTX", sizeof code.magic) != 0 || code.version != GPU_VERSION || code.moves != moves)
    return 0;
  if (!gpu_holds(length, sizeof code, moves, sizeof(struct gpu_move))) return 0;
  if (!gpu_holds(length, code.texts, code.matched_bytes, 1) || code.text_bytes > GPU_MOST_TEXT_BYTES) return 0;
  return gpu_texts(bytes + code.texts, code.matched_bytes, code.text_bytes, NULL);
}

#endif
