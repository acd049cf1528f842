/* Placeholders (gpu/placeholder.h) inside Open MPI: their convertors have a position, and nothing else. */
#include "lower-halves.h"
#ifdef HAS_CONVERTORS

#include "convertor.h"

#include "placeholder.h"

static void range(struct convertor *c, enum stowage_direction direction, void *packed, size_t length) {
  struct placeholder *placeholder = *convertor_user(c);
  const size_t first = *convertor_converted(c);
  (direction == STOWAGE_PACK ? placeholder->pack(placeholder, first, packed, length)
                             : placeholder->unpack(placeholder, first, packed, length));
}

static int32_t pack(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  return convertor_advance_by(c, segments, used, moved, STOWAGE_PACK, range);
}

static int32_t unpack(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  return convertor_advance_by(c, segments, used, moved, STOWAGE_UNPACK, range);
}

int convertor_is_placeholder(const struct convertor *c) {
  const convertor_advance advance = *convertor_advance_function(c);
  return advance == pack || advance == unpack;
}

int convertor_takes_placeholder(struct convertor *c, enum stowage_direction direction) {
  if (!placeholder_is(*convertor_datatype(c))) return 0;
  convertor_take(c, direction == STOWAGE_PACK ? pack : unpack);
  return 1;
}
#endif
