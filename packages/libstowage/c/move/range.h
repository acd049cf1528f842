/* Any range of a packed stream: the rest of the copy where it begins, whole copies by their loop, and what is left. */
#ifndef STOWAGE_RANGE_H
#define STOWAGE_RANGE_H

#include "layout.h"

/* Moves packed bytes [first, first + length) of copies of a node, `stride` apart; `packed` is where byte `first` lies.
 * O(depth * log n) more than the bytes. */
void move_range(const struct node *node, int64_t stride, unsigned char *scattered, unsigned char *packed, int64_t first,
                int64_t length, enum way way);

#endif
