#include "runs.h"

#include "next.h"
#include "predefined.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What every device takes (CU_DEVICE_ATTRIBUTE_MAX_PITCH). */
enum { MOST_STRIDE = INT_MAX };

/* The elements' span in memory of the host: their bytes, and which bytes are theirs. */
struct span {
  unsigned char *data, *mask;
  /* Where byte 0 of both lies on the device. */
  unsigned char *device;
  size_t length;
  /* Where the type's address 0 lies in data and mask. */
  ptrdiff_t origin;
};

static int span_of(struct span *span, const struct gpu_buffer *b) {
  const MPI_Aint last = (MPI_Aint)(b->count - 1) * b->facts.extent, low = last < 0 ? last : 0,
                 high = last < 0 ? 0 : last;
  const MPI_Aint first = b->facts.true_lower + low;
  span->device = b->user + first;
  span->length = (size_t)(high - low + b->facts.true_extent);
  span->origin = -first;
  span->data = calloc(span->length + 1, 2);
  span->mask = span->data + span->length + 1;
  return span->data != NULL;
}

/* Elements [first, end), some at a time: MPI_Pack counts in int. The MPI's own, or our code for the host behind it. */
static int elements(const struct gpu_buffer *b, size_t first, size_t end, unsigned char *user, unsigned char *packed,
                    enum stowage_direction direction) {
  const size_t most = INT_MAX / b->facts.size;
  for (size_t at = first; at < end;) {
    const size_t some = end - at < most ? end - at : most;
    const int bytes = (int)(some * b->facts.size);
    int position = 0;
    if (some == 0) return 0;
    unsigned char *place = user + (MPI_Aint)at * b->facts.extent;
    const int status = direction == STOWAGE_PACK
                           ? NEXT(PMPI_Pack)(place, (int)some, b->type, packed, bytes, &position, PREDEFINED_SELF)
                           : NEXT(PMPI_Unpack)(packed, bytes, &position, place, (int)some, b->type, PREDEFINED_SELF);
    if (status != MPI_SUCCESS) return 0;
    packed += bytes;
    at += some;
  }
  return 1;
}

/* Which bytes of the span the first `bytes` packed ones go to, told by the MPI: it unpacks ones. Elements may lie on
 * one another: the one of which a part has come is first. */
static int make_mask(struct span *span, const struct gpu_buffer *b, size_t bytes) {
  const size_t whole = bytes / b->facts.size, rest = bytes % b->facts.size, room = (whole + 1) * b->facts.size;
  unsigned char *ones = calloc(room, 1);
  if (ones == NULL) return 0;
  memset(ones, 0xff, rest);
  int done = rest == 0 || elements(b, whole, whole + 1, span->mask + span->origin, ones, STOWAGE_UNPACK);
  memset(ones, 0xff, room);
  done = done && elements(b, 0, whole, span->mask + span->origin, ones, STOWAGE_UNPACK);
  free(ones);
  return done;
}

struct run {
  size_t at, length;
};

static int next_run(const struct span *span, size_t from, struct run *run) {
  const unsigned char *end = span->mask + span->length, *first = memchr(span->mask + from, 0xff, span->length - from);
  if (first == NULL) return 0;
  const unsigned char *last = memchr(first, 0, (size_t)(end - first));
  run->at = (size_t)(first - span->mask);
  run->length = (size_t)((last == NULL ? end : last) - first);
  return 1;
}

/* Runs of one length, one stride apart, are one copy. */
static int copy_runs(const struct span *span, enum stowage_direction direction, void *stream) {
  struct run run, next;
  int has = next_run(span, 0, &run), result = 0;
  while (has && result == 0) {
    size_t rows = 1, stride = run.length;
    int more = next_run(span, run.at + run.length, &next);
    if (more && next.length == run.length && next.at - run.at <= MOST_STRIDE) stride = next.at - run.at;
    for (; more && next.length == run.length && next.at == run.at + rows * stride; rows++)
      more = next_run(span, next.at + next.length, &next);
    const gpu_address device = (gpu_address)(uintptr_t)(span->device + run.at);
    unsigned char *host = span->data + run.at;
    if (rows > 1) result = driver_copy_rows(direction, device, host, run.length, rows, stride, stream);
    else result = driver_copy(direction, device, host, run.length, stream);
    run = next;
    has = more;
  }
  const int done = driver_synchronise(stream);
  return result != 0 ? result : done;
}

int runs_pack(struct gpu_context *context, const struct gpu_buffer *b, void *packed) {
  struct span span;
  if (!span_of(&span, b)) return DRIVER_OUT_OF_MEMORY;
  int result = make_mask(&span, b, b->bytes) ? 0 : DRIVER_FAILED;
  if (result == 0) result = copy_runs(&span, STOWAGE_PACK, context->stream);
  if (result == 0 && !elements(b, 0, b->count, span.data + span.origin, packed, STOWAGE_PACK)) result = DRIVER_FAILED;
  free(span.data);
  return result;
}

int runs_unpack(struct gpu_context *context, const struct gpu_buffer *b, const void *packed, size_t bytes) {
  struct span span;
  if (!span_of(&span, b)) return DRIVER_OUT_OF_MEMORY;
  int result = make_mask(&span, b, bytes) ? 0 : DRIVER_FAILED;
  const size_t some = (bytes + b->facts.size - 1) / b->facts.size;
  if (result == 0 && !elements(b, 0, some, span.data + span.origin, (void *)(uintptr_t)packed, STOWAGE_UNPACK))
    result = DRIVER_FAILED;
  if (result == 0) result = copy_runs(&span, STOWAGE_UNPACK, context->stream);
  free(span.data);
  return result;
}
