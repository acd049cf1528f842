/* Any range of a packed stream: the rest of the copy where it begins, whole copies by their loop, and what is left. */
#ifndef STOWAGE_RANGE_H
#define STOWAGE_RANGE_H

#include "layout.h"

/* What becomes of the bytes of a range. */
struct range_work {
  /* Moves whole copies of a node, `stride` apart. */
  void (*copies)(const struct range_work *work, const struct node *node, int64_t count, int64_t stride,
                 unsigned char *scattered, unsigned char *packed);
  /* Moves a part of a run. */
  void (*bytes)(const struct range_work *work, unsigned char *scattered, unsigned char *packed, int64_t length);
};

extern const struct range_work range_packs, range_unpacks;

/* Packed bytes [first, first + length) of copies of a node, `stride` apart; `packed` is where byte `first` lies.
 * O(depth
 * * log n) more than the bytes. */
void each_in_range(const struct range_work *work, const struct node *node, int64_t stride, unsigned char *scattered,
                   unsigned char *packed, int64_t first, int64_t length);

#endif
