/* Packing inside Open MPI. Its convertor is what every protocol, collective and one-sided call packs and unpacks with;
 * once prepared for a message it has a position, and a function that advances it. Where we hold code for the datatype,
 * that function becomes ours. libmpi, the pml and the btl components reach what is here through the PLT, so that ours
 * comes first. */
#include <mpi.h>
#ifdef OPEN_MPI

#include "convertor.h"

#include "counts.h"
#include "hook.h"
#include "mode.h"
#include "move-range.h"
#include "next.h"
#include "placeholder.h"
#include "record.h"
#include "types.h"

enum {
  FLAGS_NOT_OURS = CONVERTOR_NO_OP | CONVERTOR_WITH_CHECKSUM | CONVERTOR_CUDA | CONVERTOR_CUDA_ASYNC |
  CONVERTOR_COMPLETED | CONVERTOR_CUDA_UNIFIED
};

int32_t convertor_advance_by(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved,
                             enum stowage_direction direction, convertor_range range) {
  const size_t before = c->converted;
  uint32_t at = 0;
  for (; at < *used && c->converted < c->local_size; at++) {
    const size_t left = c->local_size - c->converted;
    if (segments[at].iov_len > left) segments[at].iov_len = left;
    if (segments[at].iov_len > 0) range(c, direction, segments[at].iov_base, segments[at].iov_len);
    c->converted += segments[at].iov_len;
  }
  *used = at;
  *moved = c->converted - before;
  if (c->converted < c->local_size) return 0;
  c->flags |= CONVERTOR_COMPLETED;
  return 1;
}

static void plain_range(struct convertor *c, enum stowage_direction direction, void *packed, size_t length) {
  struct type_code code = {0};
  const int64_t start_ns = record_start();
  move_range(c->ours.kernel, direction, c->user, c->count, packed, c->converted, length);
  if (UNLIKELY(start_ns != 0) && types_find(c->datatype, &code)) record_packed(code.entry, direction, start_ns, 1);
}

static int32_t pack(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  return convertor_advance_by(c, segments, used, moved, STOWAGE_PACK, plain_range);
}

static int32_t unpack(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  return convertor_advance_by(c, segments, used, moved, STOWAGE_UNPACK, plain_range);
}

static int32_t pack_verified(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  return convertor_advance_by(c, segments, used, moved, STOWAGE_PACK, convertor_verified_range);
}

static int32_t unpack_verified(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  return convertor_advance_by(c, segments, used, moved, STOWAGE_UNPACK, convertor_verified_range);
}

/* opal/constants.h. */
enum { OPAL_ERROR = -1 };

static int is_ours(const struct convertor *c) {
  return (c->flags & CONVERTOR_NO_OP) == 0 &&
         (c->advance == pack || c->advance == unpack || c->advance == pack_verified || c->advance == unpack_verified ||
          convertor_is_placeholder(c));
}

static void take(struct convertor *c, const struct type_code *code, enum stowage_direction direction) {
  const int verifies = mode_verifies() && code->kernel != PROBE_KERNEL;
  c->ours.native = c->advance;
  c->ours.kernel = code->kernel;
  if (direction == STOWAGE_PACK) c->advance = verifies ? pack_verified : pack;
  else c->advance = verifies ? unpack_verified : unpack;
}

/* A convertor that is prepared natively, for a message that is neither empty nor contiguous. */
static void consider(struct convertor *c, enum stowage_direction direction) {
  struct type_code code = {0};
  if (UNLIKELY(convertor_watcher != NULL)) convertor_watcher(c);
  if (UNLIKELY(__atomic_load_n(&placeholder_types, __ATOMIC_ACQUIRE) != 0) && convertor_takes_placeholder(c, direction))
    return;
  if (!mode_is(MODE_CONVERTOR) || mode_compares ||
      (c->flags & (FLAGS_NOT_OURS | CONVERTOR_HOMOGENEOUS)) != CONVERTOR_HOMOGENEOUS)
    return;
  const int ours = types_find(c->datatype, &code) && code.size_bytes * c->count == c->local_size;
  if (code.entry != NULL) record_message(code.entry, direction, (int64_t)c->local_size, 0, 0, ours);
  if (!ours) {
    count_native(direction, c->local_size);
    if (UNLIKELY(code.entry != NULL && record_wanted())) convertor_record_native(c);
    return;
  }
  take(c, &code, direction);
  count_ours(direction, c->local_size);
}

/* Behind whatever else the preparation does, so that contiguous messages, which end before, have no frame for it. */
static __attribute__((noinline)) int32_t considered(struct convertor *c, enum stowage_direction direction,
                                                    int32_t status) {
  consider(c, direction);
  return status;
}

void (*convertor_watcher)(struct convertor *) = NULL;

typedef int32_t (*prepare_function)(struct convertor *, MPI_Datatype, size_t, const void *);
static int32_t first_send(struct convertor *, MPI_Datatype, size_t, const void *);
static int32_t first_receive(struct convertor *, MPI_Datatype, size_t, const void *);
static prepare_function prepare_send = first_send, prepare_receive = first_receive;

static int32_t first_send(struct convertor *c, MPI_Datatype type, size_t count, const void *user) {
  prepare_send = NEXT(opal_convertor_prepare_for_send);
  return prepare_send(c, type, count, user);
}

static int32_t first_receive(struct convertor *c, MPI_Datatype type, size_t count, const void *user) {
  prepare_receive = NEXT(opal_convertor_prepare_for_recv);
  return prepare_receive(c, type, count, user);
}

HOOK(int32_t, opal_convertor_prepare_for_send)(struct convertor *c, MPI_Datatype type, size_t count, const void *user) {
  const int32_t status = prepare_send(c, type, count, user);
  return (c->flags & (CONVERTOR_NO_OP | CONVERTOR_COMPLETED)) == 0 ? considered(c, STOWAGE_PACK, status) : status;
}

HOOK(int32_t, opal_convertor_prepare_for_recv)(struct convertor *c, MPI_Datatype type, size_t count, const void *user) {
  const int32_t status = prepare_receive(c, type, count, user);
  return (c->flags & (CONVERTOR_NO_OP | CONVERTOR_COMPLETED)) == 0 ? considered(c, STOWAGE_UNPACK, status) : status;
}

/* The caller has looked that the position lies inside. */
HOOK(int32_t, opal_convertor_set_position_nocheck)(struct convertor *c, size_t *position) {
  if (!is_ours(c)) return NEXT(opal_convertor_set_position_nocheck)(c, position);
  c->converted = *position;
  return 0;
}

HOOK(int, opal_convertor_clone)(const struct convertor *from, struct convertor *to, int32_t copies_stack) {
  const int status = NEXT(opal_convertor_clone)(from, to, copies_stack);
  if (is_ours(from)) to->ours = from->ours;
  return status;
}

void convertor_place(struct convertor *c, size_t position) {
  /* Behind every position: the MPI starts over, and goes forward to where it is wanted. */
  c->converted = SIZE_MAX;
  NEXT(opal_convertor_set_position_nocheck)(c, &position);
}

/* Whoever asks for addresses reads the MPI's own position: the convertor is given back. */
HOOK(int32_t, opal_convertor_raw)(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *length) {
  if (convertor_is_placeholder(c)) return OPAL_ERROR;
  if (is_ours(c)) {
    c->advance = c->ours.native;
    if (c->converted < c->local_size) convertor_place(c, c->converted);
  }
  return NEXT(opal_convertor_raw)(c, segments, used, length);
}
#endif
