/* Placeholders (gpu/placeholder.h) inside Open MPI: their convertors have a position, and nothing else. */
#include <mpi.h>
#ifdef OPEN_MPI

#include "convertor.h"

#include "placeholder.h"

static void range(struct convertor *c, enum stowage_direction direction, void *packed, size_t length) {
  struct placeholder *placeholder = c->user;
  (direction == STOWAGE_PACK ? placeholder->pack(placeholder, c->converted, packed, length)
                             : placeholder->unpack(placeholder, c->converted, packed, length));
}

static int32_t pack(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  return convertor_advance_by(c, segments, used, moved, STOWAGE_PACK, range);
}

static int32_t unpack(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  return convertor_advance_by(c, segments, used, moved, STOWAGE_UNPACK, range);
}

int convertor_is_placeholder(const struct convertor *c) { return c->advance == pack || c->advance == unpack; }

int convertor_takes_placeholder(struct convertor *c, enum stowage_direction direction) {
  if (!placeholder_is(c->datatype)) return 0;
  c->advance = direction == STOWAGE_PACK ? pack : unpack;
  return 1;
}
#endif
