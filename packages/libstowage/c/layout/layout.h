/* Where the bytes of one element lie, in packed order: nested loops over runs, as small as the constructors below make
 * them. Constructors of MPI are gone. Nodes do not change. */
#ifndef STOWAGE_LAYOUT_H
#define STOWAGE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum node_kind {
  NODE_RUN,     /* `size` bytes */
  NODE_STREAM,  /* `count` copies of the child, `stride` apart */
  NODE_LIST,    /* `count` copies of the child, at `offsets` */
  NODE_RUNS,    /* `count` runs of bytes, at `offsets` */
  NODE_BLOCKS,  /* `count` blocks at `offsets`, each of several copies of the child, `stride` apart */
  NODE_SEQUENCE /* `count` members, at `offsets` */
};

struct node;

/* Moves `count` copies of a node, `stride` apart, between their places and `packed`, without a gap there. */
typedef void (*repeat_function)(const struct node *node, int64_t count, int64_t stride, unsigned char *scattered,
                                unsigned char *packed);

enum way { TO_PACKED = 0, FROM_PACKED = 1 };

struct node {
  enum node_kind kind;
  int64_t size;      /* packed bytes */
  int64_t low, high; /* where its bytes lie: [low, high) */
  int64_t unit;      /* what divides the length of every run */
  int64_t count, stride;
  const struct node *child;
  const int64_t *offsets;
  /* For runs, blocks and members: the packed position of each, and of the end. */
  const int64_t *starts;
  const struct node *const *members;
  repeat_function repeat[2]; /* by way */
};

/* A place in memory, as an address: where a type's zero lies need be no memory of the program (MPI_BOTTOM), and offsets
 * behind the last copy wrap around and are not used. */
static inline unsigned char *place_at(unsigned char *zero, uint64_t offset) {
  return (unsigned char *)((uintptr_t)zero + (uintptr_t)offset);
}

/* A node, and where its zero lies. NULL: nothing. */
struct piece {
  const struct node *node;
  int64_t offset;
};

#define EMPTY_PIECE ((struct piece){NULL, 0})

/* What the nodes of one type lie in. What goes wrong is told at the end: no memory, or a number beyond 64 bits. */
struct arena {
  struct arena_chunk *chunks;
  size_t used, room; /* of the newest chunk */
  int is_full, is_over;
};

/* Zeros; NULL where there is no memory. */
void *arena_take(struct arena *arena, size_t bytes);
void arena_free(struct arena *arena);

struct piece run_piece(struct arena *arena, int64_t bytes);

/* `count` copies of a piece, `stride` apart: one run where they leave no gap, one stream where the inner one goes on.
 */
struct piece copies_of(struct arena *arena, int64_t count, int64_t stride, struct piece piece);

/* Blocks of copies of a piece, `extent` apart, in packed order: block i begins at displacements[i] * unit, and has
 * lengths[i] copies, or `length` where `lengths` is NULL. Runs that touch become one, blocks of one length a list, a
 * list whose places are evenly apart a stream. */
struct block_list {
  int64_t count;
  const int64_t *displacements, *lengths;
  int64_t unit, length, extent;
};
struct piece blocks_of(struct arena *arena, const struct block_list *list, struct piece piece);

/* Pieces in packed order: runs that touch become one, those in a row a table, sequences inside are part of it. The list
 * is used up. */
struct piece sequence_of(struct arena *arena, struct piece *pieces, size_t count);

static inline struct piece piece_at(struct arena *arena, struct piece piece, int64_t by) {
  if (piece.node != NULL && __builtin_add_overflow(piece.offset, by, &piece.offset)) arena->is_over = 1;
  return piece;
}

#endif
