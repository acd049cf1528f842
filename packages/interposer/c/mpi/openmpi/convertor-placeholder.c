/* Envelopes (gpu/placeholder.h) inside Open MPI: their convertors have a position, and nothing else. */
#include <mpi.h>
#ifdef OPEN_MPI

#include "convertor.h"

#include "placeholder.h"

static int32_t over(struct convertor *c, uint32_t at, size_t before, uint32_t *used, size_t *moved) {
  *used = at;
  *moved = c->converted - before;
  if (c->converted < c->local_size) return 0;
  c->flags |= CONVERTOR_COMPLETED;
  return 1;
}

static size_t cut(const struct convertor *c, struct iovec *segment) {
  const size_t left = c->local_size - c->converted;
  if (segment->iov_len > left) segment->iov_len = left;
  return segment->iov_len;
}

static int32_t pack(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  const size_t before = c->converted;
  uint32_t at = 0;
  for (; at < *used && c->converted < c->local_size; at++) {
    const size_t length = cut(c, &segments[at]);
    envelope_pack(c->user, c->converted, segments[at].iov_base, length);
    c->converted += length;
  }
  return over(c, at, before, used, moved);
}

static int32_t unpack(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  const size_t before = c->converted;
  uint32_t at = 0;
  for (; at < *used && c->converted < c->local_size; at++) {
    const size_t length = cut(c, &segments[at]);
    envelope_unpack(c->user, c->converted, segments[at].iov_base, length);
    c->converted += length;
  }
  return over(c, at, before, used, moved);
}

int convertor_is_envelope(const struct convertor *c) { return c->advance == pack || c->advance == unpack; }

int convertor_takes_envelope(struct convertor *c, enum stowage_direction direction) {
  if (!envelope_is(c->datatype)) return 0;
  c->advance = direction == STOWAGE_PACK ? pack : unpack;
  return 1;
}
#endif
