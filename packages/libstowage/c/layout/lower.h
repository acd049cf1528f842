/* From a description to a layout. */
#ifndef STOWAGE_LOWER_H
#define STOWAGE_LOWER_H

#include "layout.h"
#include "stowage.h"

/* The layout of one element, and the bounds that the description tells. */
struct lowered {
  struct piece piece;
  int64_t lower_bound, extent;
};

/* `words` are a description's, and stay as long as the layout: its lists are read there. STOWAGE_DESCRIPTION: they are
 * none, or not of MPI's constructors as MPI 4.1 has them; STOWAGE_OVERFLOW, STOWAGE_NO_MEMORY. */
enum stowage_status lower(struct arena *arena, const int64_t *words, size_t count, struct lowered *lowered);

#endif
