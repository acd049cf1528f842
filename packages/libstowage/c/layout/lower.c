#include "lower.h"

#include "exact.h"
#include "formats.h"
#include "predefined.h"
#include "share.h"

#include <string.h>

/* A node's words. */
struct described {
  int64_t kind, lower_bound, extent;
  const int64_t *integers, *addresses, *children;
  int64_t integer_count, address_count, child_count;
};

/* A node that is lowered. */
struct done {
  struct piece piece;
  int64_t extent;
};

/* The words of a list that follows its length; NULL: it does not fit. */
static const int64_t *list_at(const int64_t *words, size_t count, size_t *at, int64_t *length) {
  if (*at >= count) return NULL;
  *length = words[(*at)++];
  if (*length < 0 || (uint64_t)*length > count - *at) return NULL;
  const int64_t *list = words + *at;
  *at += (size_t)*length;
  return list;
}

/* The node at a place, and where the next one begins. 0: it is none. */
static int described_at(const int64_t *words, size_t count, size_t *at, struct described *node) {
  enum { FEWEST = 6 };
  const int64_t own = words[*at];
  if (own < FEWEST || (uint64_t)own > count - *at - 1) return 0;
  const size_t end = *at + 1 + (size_t)own;
  node->kind = words[*at + 1];
  node->lower_bound = words[*at + 2];
  node->extent = words[*at + 3];
  *at += 4;
  node->integers = list_at(words, end, at, &node->integer_count);
  node->addresses = node->integers == NULL ? NULL : list_at(words, end, at, &node->address_count);
  node->children = node->addresses == NULL ? NULL : list_at(words, end, at, &node->child_count);
  return node->children != NULL && *at == end;
}

/* Whether a node has so many integers, addresses and children. */
static int has(const struct described *node, int64_t integers, int64_t addresses, int64_t children) {
  return node->integer_count == integers && node->address_count == addresses && node->child_count == children;
}

static int are_counts(const int64_t *values, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (values[i] < 0) return 0;
  return 1;
}

/* A list's first integer, which says how many blocks there are; -1: there is none, or fewer integers than it says. */
static int64_t blocks_in(const struct described *node) {
  const int64_t count = node->integer_count < 1 ? -1 : node->integers[0];
  return count > node->integer_count && count > node->address_count ? -1 : count;
}

static enum stowage_status lower_named(struct arena *arena, const struct described *node, struct piece *piece) {
  enum { MOST_LETTERS = 255 };
  char name[MOST_LETTERS + 1] = "";
  struct predefined facts;
  if (node->integer_count < 1 || node->integer_count > MOST_LETTERS) return STOWAGE_DESCRIPTION;
  const size_t letters = (size_t)node->integer_count;
  for (size_t i = 0; i < letters; i++) name[i] = (char)node->integers[i];
  if (predefined_of(name, letters, &facts)) {
    const int64_t index = facts.length[1];
    struct piece pieces[] = {run_piece(arena, facts.length[0]),
                             piece_at(arena, run_piece(arena, index), facts.offset[1])};
    *piece = index == 0 ? pieces[0] : sequence_of(arena, pieces, 2);
    return STOWAGE_OK;
  }
  if (!is_fortran(name, letters) || node->extent < 0) return STOWAGE_DESCRIPTION;
  *piece = run_piece(arena, node->extent);
  return STOWAGE_OK;
}

static enum stowage_status lower_vector(struct arena *arena, const struct described *node, const struct done *child,
                                        struct piece *piece) {
  const int is_in_bytes = node->kind == STOWAGE_HVECTOR;
  if (!(is_in_bytes ? has(node, 2, 1, 1) : has(node, 3, 0, 1)) || !are_counts(node->integers, 2))
    return STOWAGE_DESCRIPTION;
  const int64_t count = node->integers[0], length = node->integers[1];
  const struct piece block = copies_of(arena, length, child->extent, child->piece);
  if (block.node == NULL || count < 2) {
    *piece = count < 1 ? EMPTY_PIECE : block;
    return STOWAGE_OK;
  }
  const int64_t stride =
      is_in_bytes ? node->addresses[0] : product_of(&arena->is_over, node->integers[2], child->extent);
  *piece = copies_of(arena, count, stride, block);
  return STOWAGE_OK;
}

/* indexed, hindexed and their forms of one length. */
static enum stowage_status lower_list(struct arena *arena, const struct described *node, const struct done *child,
                                      struct piece *piece) {
  const int64_t count = blocks_in(node);
  const int is_in_bytes = node->kind == STOWAGE_HINDEXED || node->kind == STOWAGE_HINDEXED_BLOCK;
  const int is_uniform = node->kind == STOWAGE_INDEXED_BLOCK || node->kind == STOWAGE_HINDEXED_BLOCK;
  const int64_t lengths = is_uniform ? 1 : count, listed = is_in_bytes ? 0 : count;
  if (count < 0 || !has(node, 1 + lengths + listed, count - listed, 1) || !are_counts(node->integers + 1, lengths))
    return STOWAGE_DESCRIPTION;
  const struct block_list list = {.count = count,
                                  .displacements = is_in_bytes ? node->addresses : node->integers + 1 + lengths,
                                  .unit = is_in_bytes ? 1 : child->extent,
                                  .lengths = is_uniform ? NULL : node->integers + 1,
                                  .length = is_uniform ? node->integers[1] : 0,
                                  .extent = child->extent};
  *piece = blocks_of(arena, &list, child->piece);
  return STOWAGE_OK;
}

static enum stowage_status lower_struct(struct arena *arena, const struct described *node, const struct done *done,
                                        struct piece *piece) {
  const int64_t count = blocks_in(node);
  if (count < 0 || !has(node, 1 + count, count, count) || !are_counts(node->integers + 1, count))
    return STOWAGE_DESCRIPTION;
  struct piece *members = arena_take(arena, ((size_t)count + 1) * sizeof *members);
  if (members == NULL) return STOWAGE_NO_MEMORY;
  for (int64_t i = 0; i < count; i++) {
    const struct done *child = &done[node->children[i]];
    members[i] = copies_of(arena, node->integers[1 + i], child->extent, child->piece);
    members[i] = piece_at(arena, members[i], node->addresses[i]);
  }
  *piece = sequence_of(arena, members, (size_t)count);
  return STOWAGE_OK;
}

/* A stream a dimension, the fastest innermost. MPI 4.1, section 5.1.3. */
static enum stowage_status lower_subarray(struct arena *arena, const struct described *node, const struct done *child,
                                          struct piece *piece) {
  const int64_t *integers = node->integers, n = node->integer_count < 1 ? 0 : integers[0];
  if (n < 1 || n > node->integer_count || !has(node, 3 * n + 2, 0, 1)) return STOWAGE_DESCRIPTION;
  const struct subarray box = {n, integers + 1, integers + 1 + n, integers + 1 + 2 * n, integers[3 * n + 1]};
  if (!subarray_is_sound(&box)) return STOWAGE_DESCRIPTION;
  int *over = &arena->is_over;
  int64_t stride = child->extent, start = 0;
  *piece = child->piece;
  for (int64_t i = 0; i < n; i++) {
    const int64_t along = dimension_from_fastest(i, n, box.order);
    *piece = copies_of(arena, box.subsizes[along], stride, *piece);
    start = sum_of(over, start, product_of(over, box.starts[along], stride));
    stride = product_of(over, stride, box.sizes[along]);
  }
  *piece = piece_at(arena, *piece, start);
  return STOWAGE_OK;
}

static struct piece along_dimension(struct arena *arena, const struct share *share, int64_t element,
                                    struct piece piece) {
  int *over = &arena->is_over;
  const int64_t stride = product_of(over, share->stride, element);
  struct piece parts[2];
  parts[0] = copies_of(arena, share->full, stride, copies_of(arena, share->block, element, piece));
  parts[1] = piece_at(arena, copies_of(arena, share->rest, element, piece), product_of(over, share->full, stride));
  return piece_at(arena, sequence_of(arena, parts, 2), product_of(over, share->first, element));
}

/* Along each dimension, the fastest first: full blocks as streams, then a shorter block. MPI 4.1, section 5.1.4. */
static enum stowage_status lower_darray(struct arena *arena, const struct described *node, const struct done *child,
                                        struct piece *piece) {
  const int64_t *integers = node->integers, n = node->integer_count < 3 ? 0 : integers[2];
  if (n < 1 || n > node->integer_count || !has(node, 4 * n + 4, 0, 1)) return STOWAGE_DESCRIPTION;
  const struct darray array = {integers[0],          integers[1],        n,
                               integers + 3,         integers + 3 + n,   integers + 3 + 2 * n,
                               integers + 3 + 3 * n, integers[3 + 4 * n]};
  if (!darray_is_sound(&array)) return STOWAGE_DESCRIPTION;
  struct share *shares = arena_take(arena, (size_t)n * sizeof *shares);
  if (shares == NULL) return STOWAGE_NO_MEMORY;
  shares_of(&array, shares);
  int64_t element = child->extent;
  *piece = child->piece;
  for (int64_t i = 0; i < n; i++) {
    const int64_t along = dimension_from_fastest(i, n, array.order);
    *piece = along_dimension(arena, &shares[along], element, *piece);
    element = product_of(&arena->is_over, element, array.sizes[along]);
  }
  return STOWAGE_OK;
}

static enum stowage_status lower_node(struct arena *arena, const struct described *node, const struct done *done,
                                      struct piece *piece) {
  const struct done *child = node->child_count > 0 ? &done[node->children[0]] : NULL;
  switch (node->kind) {
  case STOWAGE_NAMED: return node->child_count == 0 ? lower_named(arena, node, piece) : STOWAGE_DESCRIPTION;
  case STOWAGE_STRUCT: return lower_struct(arena, node, done, piece);
  case STOWAGE_CONTIGUOUS:
    if (!has(node, 1, 0, 1) || node->integers[0] < 0) return STOWAGE_DESCRIPTION;
    *piece = copies_of(arena, node->integers[0], child->extent, child->piece);
    return STOWAGE_OK;
  case STOWAGE_RESIZED:
  case STOWAGE_DUP:
    if (!has(node, 0, node->kind == STOWAGE_DUP ? 0 : 2, 1)) return STOWAGE_DESCRIPTION;
    *piece = child->piece;
    return STOWAGE_OK;
  }
  if (child == NULL) return STOWAGE_DESCRIPTION;
  switch (node->kind) {
  case STOWAGE_VECTOR:
  case STOWAGE_HVECTOR: return lower_vector(arena, node, child, piece);
  case STOWAGE_INDEXED:
  case STOWAGE_HINDEXED:
  case STOWAGE_INDEXED_BLOCK:
  case STOWAGE_HINDEXED_BLOCK: return lower_list(arena, node, child, piece);
  case STOWAGE_SUBARRAY: return lower_subarray(arena, node, child, piece);
  case STOWAGE_DARRAY: return lower_darray(arena, node, child, piece);
  }
  return STOWAGE_DESCRIPTION;
}

/* How many nodes there are at most, by their lengths alone. */
static size_t nodes_in(const int64_t *words, size_t count) {
  size_t nodes = 0;
  for (size_t at = 0; at < count; nodes++) {
    const int64_t own = words[at];
    if (own < 0 || (uint64_t)own >= count - at) return nodes + 1;
    at += 1 + (size_t)own;
  }
  return nodes;
}

static int are_known(const struct described *node, size_t nodes) {
  for (int64_t i = 0; i < node->child_count; i++)
    if (node->children[i] < 0 || (uint64_t)node->children[i] >= nodes) return 0;
  return 1;
}

enum stowage_status lower(struct arena *arena, const int64_t *words, size_t count, struct lowered *lowered) {
  struct done *done = arena_take(arena, nodes_in(words, count) * sizeof *done);
  struct described node = {0};
  size_t nodes = 0;
  if (count == 0) return STOWAGE_DESCRIPTION;
  if (done == NULL) return STOWAGE_NO_MEMORY;
  for (size_t at = 0; at < count; nodes++) {
    struct piece piece = EMPTY_PIECE;
    if (!described_at(words, count, &at, &node) || !are_known(&node, nodes)) return STOWAGE_DESCRIPTION;
    const enum stowage_status status = lower_node(arena, &node, done, &piece);
    if (arena->is_full) return STOWAGE_NO_MEMORY;
    if (status != STOWAGE_OK) return status;
    if (arena->is_over) return STOWAGE_OVERFLOW;
    done[nodes] = (struct done){piece, node.extent};
  }
  *lowered = (struct lowered){done[nodes - 1].piece, node.lower_bound, node.extent};
  return STOWAGE_OK;
}
