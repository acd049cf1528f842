#include "range.h"

#include "exact.h"
#include "repeat.h"

/* The last entry that begins at or before a position. */
static int64_t entry_at(const int64_t *starts, int64_t count, int64_t position) {
  int64_t low = 0, high = count;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (starts[middle] <= position) low = middle;
    else high = middle;
  }
  return low;
}

static void part(const struct range_work *work, const struct node *node, unsigned char *scattered,
                 unsigned char *packed, int64_t first, int64_t length);

/* Where an entry of a list, table or sequence begins in the stream. */
static int64_t start_of(const struct node *node, int64_t i) {
  return node->starts != NULL ? node->starts[i] : i * node->child->size;
}

/* Bytes of one entry. */
static void entry_part(const struct range_work *work, const struct node *node, int64_t i, unsigned char *scattered,
                       unsigned char *packed, int64_t first, int64_t length) {
  unsigned char *at = place_at(scattered, (uint64_t)node->offsets[i]);
  if (node->kind == NODE_RUNS) work->bytes(work, place_at(at, (uint64_t)first), packed, length);
  else if (node->kind == NODE_BLOCKS) each_in_range(work, node->child, node->stride, at, packed, first, length);
  else part(work, node->kind == NODE_LIST ? node->child : node->members[i], at, packed, first, length);
}

/* A list without its first entries and its last, which moves as the whole does. */
static struct node entries_between(const struct node *node, int64_t from, int64_t to) {
  struct node some = *node;
  some.count = to - from;
  some.offsets += from;
  some.size = start_of(node, to) - start_of(node, from);
  if (node->starts != NULL) some.starts += from;
  if (node->members != NULL) some.members += from;
  return some;
}

/* A range of a list, table or sequence. */
static void entries(const struct range_work *work, const struct node *node, unsigned char *scattered,
                    unsigned char *packed, int64_t first, int64_t length) {
  int64_t i = node->starts != NULL ? entry_at(node->starts, node->count, first) : first / node->child->size;
  const int64_t end = first + length;
  if (start_of(node, i) < first || end < start_of(node, i + 1)) {
    const int64_t own = lesser(end, start_of(node, i + 1)) - first;
    entry_part(work, node, i, scattered, packed, first - start_of(node, i), own);
    packed += own;
    first += own;
    if (first == end) return;
    i++;
  }
  const int64_t last = end == node->size      ? node->count
                       : node->starts != NULL ? entry_at(node->starts, node->count, end)
                                              : end / node->child->size;
  if (last > i) {
    const struct node some = entries_between(node, i, last);
    work->copies(work, &some, 1, 0, scattered, packed);
    packed += some.size;
  }
  if (end > start_of(node, last)) entry_part(work, node, last, scattered, packed, 0, end - start_of(node, last));
}

/* A range of one copy of a node. */
static void part(const struct range_work *work, const struct node *node, unsigned char *scattered,
                 unsigned char *packed, int64_t first, int64_t length) {
  if (length == node->size) work->copies(work, node, 1, 0, scattered, packed);
  else if (node->kind == NODE_RUN) work->bytes(work, place_at(scattered, (uint64_t)first), packed, length);
  else if (node->kind == NODE_STREAM) each_in_range(work, node->child, node->stride, scattered, packed, first, length);
  else entries(work, node, scattered, packed, first, length);
}

void each_in_range(const struct range_work *work, const struct node *node, int64_t stride, unsigned char *scattered,
                   unsigned char *packed, int64_t first, int64_t length) {
  const int64_t size = node->size;
  if (first > 0) {
    const int64_t copy = first / size, inside = first - copy * size;
    scattered = place_at(scattered, (uint64_t)(copy * stride));
    if (inside > 0) {
      const int64_t own = lesser(size - inside, length);
      part(work, node, scattered, packed, inside, own);
      packed += own;
      length -= own;
      scattered = place_at(scattered, (uint64_t)stride);
    }
  }
  const int64_t whole = length < size ? 0 : length == size ? 1 : length / size, rest = length - whole * size;
  if (whole > 0) work->copies(work, node, whole, stride, scattered, packed);
  if (rest > 0) part(work, node, place_at(scattered, (uint64_t)(whole * stride)), packed + whole * size, 0, rest);
}

#define MOVES(name, way, moved)                                                                                   \
  static void copies_##way(const struct range_work *work, const struct node *node, int64_t count, int64_t stride, \
                           unsigned char *scattered, unsigned char *packed) {                                     \
    (void)work;                                                                                                   \
    node->repeat[way](node, count, stride, scattered, packed);                                                    \
  }                                                                                                               \
  static void bytes_##way(const struct range_work *work, unsigned char *scattered, unsigned char *packed,         \
                          int64_t length) {                                                                       \
    (void)work;                                                                                                   \
    moved;                                                                                                        \
  }                                                                                                               \
  const struct range_work name = {copies_##way, bytes_##way};

MOVES(range_packs, TO_PACKED, move_bytes(packed, scattered, length))
MOVES(range_unpacks, FROM_PACKED, move_bytes(scattered, packed, length))
