#include "layout.h"

#include "exact.h"
#include "repeat.h"

#include <stdlib.h>
#include <string.h>

/* Members that are taken into another sequence: more would make shared types of many levels grow without bound. */
enum { MOST_SPLICED = 64, FIRST_CHUNK = 1024, ALIGNMENT = 16 };

struct arena_chunk {
  struct arena_chunk *next;
  size_t zero; /* what follows is aligned */
};

void *arena_take(struct arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX / 4) bytes = SIZE_MAX / 4; /* which no system has */
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (arena->chunks == NULL || bytes > arena->room - arena->used) {
    const size_t room = bytes > FIRST_CHUNK ? bytes : FIRST_CHUNK;
    struct arena_chunk *chunk = calloc(1, sizeof *chunk + room);
    if (chunk == NULL) {
      arena->is_full = 1;
      return NULL;
    }
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->used = 0;
    arena->room = room;
  }
  void *taken = (unsigned char *)(arena->chunks + 1) + arena->used;
  arena->used += bytes;
  return taken;
}

void arena_free(struct arena *arena) {
  for (struct arena_chunk *chunk = arena->chunks; chunk != NULL;) {
    struct arena_chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
  arena->chunks = NULL;
}

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* A divisor of every run: most often all have one length, or are of one kind of element. */
static int64_t unit_of(const struct node *node) {
  if (node->kind == NODE_RUN) return node->size;
  if (node->child != NULL) return node->child->unit;
  int64_t unit = 0;
  for (int64_t i = 0; i < node->count && unit != 1; i++)
    unit = common_divisor(node->members != NULL ? node->members[i]->unit : node->starts[i + 1] - node->starts[i], unit);
  return unit;
}

static struct piece made(struct arena *arena, struct node node) {
  struct node *kept = arena_take(arena, sizeof *kept);
  if (kept == NULL) return EMPTY_PIECE;
  node.repeat[TO_PACKED] = repeat_of(&node, TO_PACKED);
  node.repeat[FROM_PACKED] = repeat_of(&node, FROM_PACKED);
  node.unit = unit_of(&node);
  *kept = node;
  return (struct piece){kept, 0};
}

struct piece run_piece(struct arena *arena, int64_t bytes) {
  if (bytes == 0) return EMPTY_PIECE;
  return made(arena, (struct node){.kind = NODE_RUN, .size = bytes, .high = bytes});
}

static int is_run(const struct node *node) { return node->kind == NODE_RUN; }

struct piece copies_of(struct arena *arena, int64_t count, int64_t stride, struct piece piece) {
  const struct node *child = piece.node;
  int *over = &arena->is_over;
  if (child == NULL || count == 0) return EMPTY_PIECE;
  if (count == 1) return piece;
  const int64_t size = product_of(over, count, child->size), reach = product_of(over, count - 1, stride);
  if (*over) return EMPTY_PIECE;
  /* fold a dense stream: count runs of n bytes, n apart = one run of count * n */
  if (is_run(child) && child->size == stride) return piece_at(arena, run_piece(arena, size), piece.offset);
  struct node node = {.kind = NODE_STREAM, .size = size, .count = count, .stride = stride, .child = child};
  node.low = sum_of(over, child->low, lesser(0, reach));
  node.high = sum_of(over, child->high, greater(0, reach));
  /* merge nested streams: count of (n at s), n * s apart = count * n at s */
  int64_t inner;
  if (child->kind == NODE_STREAM && !__builtin_mul_overflow(child->count, child->stride, &inner) && inner == stride) {
    node.count = product_of(over, count, child->count);
    node.stride = child->stride;
    node.child = child->child;
  }
  return *over ? EMPTY_PIECE : piece_at(arena, made(arena, node), piece.offset);
}

/* The bytes that the entries of a table touch. 0: a number is beyond 64 bits. */
static void reach_of(struct arena *arena, struct node *node, int64_t low, int64_t high, int64_t offset, int is_first) {
  const int64_t from = sum_of(&arena->is_over, offset, low), to = sum_of(&arena->is_over, offset, high);
  node->low = is_first ? from : lesser(node->low, from);
  node->high = is_first ? to : greater(node->high, to);
}

/* Copies of a piece at offsets: evenly apart, a stream. Offsets stay. */
static struct piece listed(struct arena *arena, const int64_t *offsets, int64_t count, struct piece piece) {
  if (piece.node == NULL || count == 0) return EMPTY_PIECE;
  int64_t step = 0;
  int is_even = count == 1 || !__builtin_sub_overflow(offsets[1], offsets[0], &step);
  for (int64_t i = 2; i < count && is_even; i++) {
    int64_t apart;
    is_even = !__builtin_sub_overflow(offsets[i], offsets[i - 1], &apart) && apart == step;
  }
  if (is_even) return piece_at(arena, copies_of(arena, count, step, piece), offsets[0]);
  struct node node = {.kind = NODE_LIST, .count = count, .child = piece.node, .offsets = offsets};
  node.size = product_of(&arena->is_over, count, piece.node->size);
  for (int64_t i = 0; i < count; i++) reach_of(arena, &node, piece.node->low, piece.node->high, offsets[i], i == 0);
  return arena->is_over ? EMPTY_PIECE : piece_at(arena, made(arena, node), piece.offset);
}

/* A table of runs; `lengths` becomes positions. Neighbours that touch become one. */
static struct piece runs_piece(struct arena *arena, int64_t *offsets, int64_t *lengths, int64_t count) {
  int64_t kept = 0;
  int is_uniform = 1;
  for (int64_t i = 0; i < count; i++) {
    int64_t end;
    if (lengths[i] == 0) continue;
    if (kept > 0 && !__builtin_add_overflow(offsets[kept - 1], lengths[kept - 1], &end) && end == offsets[i]) {
      lengths[kept - 1] = sum_of(&arena->is_over, lengths[kept - 1], lengths[i]);
      continue;
    }
    offsets[kept] = offsets[i];
    lengths[kept++] = lengths[i];
  }
  for (int64_t i = 1; i < kept && is_uniform; i++) is_uniform = lengths[i] == lengths[0];
  if (kept == 0) return EMPTY_PIECE;
  if (is_uniform) return listed(arena, offsets, kept, run_piece(arena, lengths[0]));
  struct node node = {.kind = NODE_RUNS, .count = kept, .offsets = offsets, .starts = lengths};
  for (int64_t i = 0; i < kept; i++) {
    const int64_t length = lengths[i];
    reach_of(arena, &node, 0, length, offsets[i], i == 0);
    lengths[i] = node.size;
    node.size = sum_of(&arena->is_over, node.size, length);
  }
  lengths[kept] = node.size;
  return arena->is_over ? EMPTY_PIECE : made(arena, node);
}

static int64_t length_of(const struct block_list *list, int64_t i) {
  return list->lengths == NULL ? list->length : list->lengths[i];
}

/* Room for numbers; one is more than asked for. */
static int64_t *numbers(struct arena *arena, int64_t count) {
  if (count < 0 || (uint64_t)count > SIZE_MAX / 16) arena->is_full = 1;
  return arena->is_full ? NULL : arena_take(arena, ((size_t)count + 1) * sizeof(int64_t));
}

/* Blocks of a layout that is no run, or has gaps between copies. */
static struct piece uneven(struct arena *arena, const struct block_list *list, struct piece piece, int64_t *offsets,
                           int64_t *starts, int64_t count) {
  int *over = &arena->is_over;
  const struct node *child = piece.node;
  struct node node = {.kind = NODE_BLOCKS, .count = count, .stride = list->extent, .child = child};
  node.offsets = offsets;
  node.starts = starts;
  for (int64_t i = 0; i < count; i++) {
    const int64_t copies = starts[i], last = product_of(over, copies - 1, list->extent);
    reach_of(arena, &node, sum_of(over, child->low, lesser(0, last)), sum_of(over, child->high, greater(0, last)),
             offsets[i], i == 0);
    starts[i] = node.size;
    node.size = sum_of(over, node.size, product_of(over, copies, child->size));
  }
  starts[count] = node.size;
  return *over ? EMPTY_PIECE : piece_at(arena, made(arena, node), piece.offset);
}

struct piece blocks_of(struct arena *arena, const struct block_list *list, struct piece piece) {
  if (piece.node == NULL) return EMPTY_PIECE;
  int64_t *offsets = numbers(arena, list->count), *lengths = numbers(arena, list->count);
  if (offsets == NULL || lengths == NULL) return EMPTY_PIECE;
  int64_t count = 0;
  int is_uniform = 1, is_single = 1;
  for (int64_t i = 0; i < list->count; i++) {
    const int64_t length = length_of(list, i);
    if (length == 0) continue;
    offsets[count] = product_of(&arena->is_over, list->displacements[i], list->unit);
    lengths[count] = length;
    is_uniform = is_uniform && length == lengths[0];
    is_single = is_single && length == 1;
    count++;
  }
  if (arena->is_over || count == 0) return EMPTY_PIECE;
  if (is_run(piece.node) && (is_single || piece.node->size == list->extent)) {
    for (int64_t i = 0; i < count; i++) lengths[i] = product_of(&arena->is_over, lengths[i], piece.node->size);
    return piece_at(arena, runs_piece(arena, offsets, lengths, count), piece.offset);
  }
  if (!is_uniform) return uneven(arena, list, piece, offsets, lengths, count);
  return listed(arena, offsets, count, copies_of(arena, lengths[0], list->extent, piece));
}

/* What a piece becomes as part of a sequence: how many. With `into`, they are put there. */
static size_t spliced(struct arena *arena, struct piece piece, struct piece *into) {
  const struct node *node = piece.node;
  const int is_table = node->kind == NODE_SEQUENCE || node->kind == NODE_RUNS;
  if (!is_table || node->count > MOST_SPLICED) {
    if (into != NULL) *into = piece;
    return 1;
  }
  for (int64_t i = 0; i < node->count && into != NULL; i++) {
    const struct piece member = node->kind == NODE_SEQUENCE ? (struct piece){node->members[i], 0}
                                                            : run_piece(arena, node->starts[i + 1] - node->starts[i]);
    into[i] = piece_at(arena, member, sum_of(&arena->is_over, piece.offset, node->offsets[i]));
  }
  return (size_t)node->count;
}

/* Pieces [from, to), which are runs, as one. */
static struct piece runs_between(struct arena *arena, const struct piece *pieces, size_t from, size_t to) {
  const int64_t count = (int64_t)(to - from);
  if (count == 1) return pieces[from];
  int64_t *offsets = numbers(arena, count), *lengths = numbers(arena, count);
  if (offsets == NULL || lengths == NULL) return EMPTY_PIECE;
  for (size_t i = from; i < to; i++) {
    offsets[i - from] = pieces[i].offset;
    lengths[i - from] = pieces[i].node->size;
  }
  return runs_piece(arena, offsets, lengths, count);
}

/* Runs in a row become one piece. How many pieces are left. */
static size_t tabulated(struct arena *arena, struct piece *pieces, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count;) {
    size_t end = i;
    while (end < count && is_run(pieces[end].node)) end++;
    const struct piece next = end > i ? runs_between(arena, pieces, i, end) : pieces[i];
    i = end > i ? end : i + 1;
    if (next.node != NULL) pieces[kept++] = next;
  }
  return kept;
}

static int is_of_one(const struct piece *pieces, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (pieces[i].node != pieces[0].node) return 0;
  return 1;
}

static struct piece sequence_piece(struct arena *arena, const struct piece *pieces, size_t count) {
  if (count == 0) return EMPTY_PIECE;
  if (count == 1) return pieces[0];
  int64_t *offsets = numbers(arena, (int64_t)count), *starts = numbers(arena, (int64_t)count);
  const struct node **members = arena_take(arena, count * sizeof *members);
  if (offsets == NULL || starts == NULL || members == NULL) return EMPTY_PIECE;
  for (size_t i = 0; i < count; i++) offsets[i] = pieces[i].offset;
  if (is_of_one(pieces, count)) return listed(arena, offsets, (int64_t)count, (struct piece){pieces[0].node, 0});
  struct node node = {.kind = NODE_SEQUENCE, .count = (int64_t)count, .offsets = offsets, .starts = starts};
  node.members = members;
  for (size_t i = 0; i < count; i++) {
    members[i] = pieces[i].node;
    starts[i] = node.size;
    reach_of(arena, &node, members[i]->low, members[i]->high, offsets[i], i == 0);
    node.size = sum_of(&arena->is_over, node.size, members[i]->size);
  }
  starts[count] = node.size;
  return arena->is_over ? EMPTY_PIECE : made(arena, node);
}

struct piece sequence_of(struct arena *arena, struct piece *pieces, size_t count) {
  size_t full = 0, all = 0;
  for (size_t i = 0; i < count; i++)
    if (pieces[i].node != NULL) pieces[full++] = pieces[i];
  if (full < 2) return full == 0 ? EMPTY_PIECE : pieces[0];
  if (!is_run(pieces[0].node) && is_of_one(pieces, full)) return sequence_piece(arena, pieces, full);
  for (size_t i = 0; i < full; i++) all += spliced(arena, pieces[i], NULL);
  struct piece *flat = pieces;
  if (all > full) {
    flat = arena_take(arena, all * sizeof *flat);
    if (flat == NULL) return EMPTY_PIECE;
    size_t at = 0;
    for (size_t i = 0; i < full; i++) at += spliced(arena, pieces[i], flat + at);
    if (arena->is_full || arena->is_over) return EMPTY_PIECE;
  }
  const size_t kept = tabulated(arena, flat, all);
  return arena->is_full || arena->is_over ? EMPTY_PIECE : sequence_piece(arena, flat, kept);
}
