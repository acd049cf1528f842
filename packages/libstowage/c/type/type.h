/* A committed type. */
#ifndef STOWAGE_TYPE_H
#define STOWAGE_TYPE_H

#include "layout.h"
#include "stowage_types.h"

struct stowage_type {
  struct piece piece; /* of one element */
  int64_t size;
  struct stowage_bounds bounds;
  struct arena arena;
  int64_t *words; /* the description, which lists of the layout lie in */
  size_t description_length;
};

#endif
