/* Packing inside Open MPI. Its convertor is what every protocol, collective and one-sided call packs and unpacks with;
 * once prepared for a message it has a position, and a function that advances it. Where we hold code for the datatype,
 * that function becomes ours. libmpi, the pml and the btl components reach what is here through the PLT, so that ours
 * comes first. */
#include "lower-halves.h"
#ifdef HAS_CONVERTORS

#include "convertor.h"

#include "counts.h"
#include "hook.h"
#include "host-choice.h"
#include "host-trial.h"
#include "mode.h"
#include "move-range.h"
#include "next.h"
#include "placeholder.h"
#include "record.h"
#include "types.h"

int32_t convertor_advance_by(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved,
                             enum stowage_direction direction, convertor_range range) {
  size_t *converted = convertor_converted(c);
  const size_t before = *converted, size = *convertor_local_size(c);
  uint32_t at = 0;
  for (; at < *used && *converted < size; at++) {
    const size_t left = size - *converted;
    if (segments[at].iov_len > left) segments[at].iov_len = left;
    if (segments[at].iov_len > 0) range(c, direction, segments[at].iov_base, segments[at].iov_len);
    *converted += segments[at].iov_len;
  }
  *used = at;
  *moved = *converted - before;
  if (*converted < size) return 0;
  *convertor_flags(c) |= convertor_layout->completed;
  return 1;
}

static void plain_range(struct convertor *c, enum stowage_direction direction, void *packed, size_t length) {
  struct type_code code = {0};
  const int64_t start_ns = record_start();
  move_range(convertor_own(c)->kernel, direction, *convertor_user(c), *convertor_count(c), packed,
             *convertor_converted(c), length);
  if (UNLIKELY(start_ns != 0) && types_find(*convertor_datatype(c), &code))
    record_packed(code.entry, direction, start_ns, 1);
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

/* A position is all that ours has. The caller has looked that it lies inside. */
static int32_t place(struct convertor *c, size_t *position) {
  *convertor_converted(c) = *position;
  return 0;
}

int convertor_is_ours(const struct convertor *c) {
  const convertor_advance advance = *convertor_advance_function(c);
  if ((*convertor_flags(c) & convertor_layout->no_op) != 0) return 0;
  return advance == pack || advance == unpack || advance == pack_verified || advance == unpack_verified ||
         convertor_is_placeholder(c) || convertor_may_be_offered(c);
}

void convertor_take(struct convertor *c, convertor_advance advance) {
  struct convertor_own *own = convertor_own(c);
  own->advance = *convertor_advance_function(c);
  *convertor_advance_function(c) = advance;
  if (convertor_layout->place == 0) return;
  own->place = *convertor_place_function(c);
  *convertor_place_function(c) = place;
}

void convertor_give_back(struct convertor *c, const struct convertor_own *own) {
  *convertor_advance_function(c) = own->advance;
  if (convertor_layout->place != 0) *convertor_place_function(c) = own->place;
}

static void take(struct convertor *c, const struct type_code *code, enum stowage_direction direction) {
  const int verifies = mode_verifies() && code->kernel != PROBE_KERNEL;
  if (direction == STOWAGE_PACK) convertor_take(c, verifies ? pack_verified : pack);
  else convertor_take(c, verifies ? unpack_verified : unpack);
  convertor_own(c)->kernel = code->kernel;
  convertor_own(c)->is_counted = 1;
}

int convertor_is_plain(const struct convertor *c) {
  const struct convertor_layout *layout = convertor_layout;
  return (*convertor_flags(c) & (layout->not_ours | layout->homogeneous)) == layout->homogeneous;
}

/* A convertor that is prepared natively, for a message that is neither empty nor contiguous. */
static void choose(struct convertor *c, enum stowage_direction direction) {
  struct type_code code = {0};
  if (UNLIKELY(convertor_watcher != NULL)) convertor_watcher(c);
  if (UNLIKELY(__atomic_load_n(&placeholder_types, __ATOMIC_ACQUIRE) != 0) && convertor_takes_placeholder(c, direction))
    return;
  if (!mode_is(MODE_CONVERTOR) || mode_compares || !convertor_is_plain(c)) return;
  const size_t size = *convertor_local_size(c);
  const int known = types_find(*convertor_datatype(c), &code) && code.size_bytes * *convertor_count(c) == size;
  const int left = known && code.run_bytes >= convertor_long_run_bytes, ours = known && !left;
  if (code.entry != NULL) record_message(code.entry, direction, (int64_t)size, 0, 0, ours);
  if (!ours) {
    count_native(direction, size);
    if (left) count_left(direction);
    if (UNLIKELY(code.entry != NULL && record_wanted())) convertor_record_native(c);
    return;
  }
  take(c, &code, direction);
  count_ours(direction, size);
}

/* Contiguous ones, too, which are no one's but the MPI's: an offer may come to any receive. */
static void consider(struct convertor *c, enum stowage_direction direction) {
  const uint32_t settled = convertor_layout->no_op | convertor_layout->completed;
  if ((*convertor_flags(c) & settled) == 0) choose(c, direction);
  if (direction == STOWAGE_PACK) convertor_offers(c);
  else convertor_awaits_offer(c);
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

/* The hooks of preparations, for layouts whose flags lie at an offset and say by these that there is nothing to pack.
 * Where messages may go past the MPI, all receives look for an offer, those of nothing too: a longer message may come,
 * of which the room is to be given back. */
#define IS_SETTLED(c, flags, settled) ((*(const uint32_t *)convertor_at(c, flags) & (settled)) != 0)
#define PREPARED(name, prepare, direction, is_over)                                             \
  static int32_t name(struct convertor *c, MPI_Datatype type, size_t count, const void *user) { \
    const int32_t status = prepare(c, type, count, user);                                       \
    return (is_over) ? status : considered(c, direction, status);                               \
  }
#define PREPARES(suffix, flags, settled)                                             \
  PREPARED(send_##suffix, prepare_send, STOWAGE_PACK, IS_SETTLED(c, flags, settled)) \
  PREPARED(receive_##suffix, prepare_receive, STOWAGE_UNPACK, IS_SETTLED(c, flags, settled))
PREPARES(to_5, FLAGS_TO_5, NO_OP_TO_5 | COMPLETED_TO_5)
PREPARES(from_6, FLAGS_FROM_6, NO_OP_FROM_6 | COMPLETED_FROM_6)
PREPARED(look, prepare_receive, STOWAGE_UNPACK, 0)

static int32_t set_position(struct convertor *c, size_t *position) {
  if (!convertor_is_ours(c)) return NEXT(opal_convertor_set_position_nocheck)(c, position);
  return place(c, position);
}

static int clone(const struct convertor *from, struct convertor *to, int32_t copies_stack) {
  const int status = NEXT(opal_convertor_clone)(from, to, copies_stack);
  if (convertor_is_ours(from)) {
    *convertor_own(to) = *convertor_own(from);
    convertor_own(to)->is_counted = 0;
  }
  return status;
}

/* What a convertor of ours has not moved yet is the MPI's from now on. */
static void count_as_native(const struct convertor *c) {
  const convertor_advance advance = *convertor_advance_function(c);
  const enum stowage_direction direction = advance == pack || advance == pack_verified ? STOWAGE_PACK : STOWAGE_UNPACK;
  const size_t moved = *convertor_converted(c);
  count_given_back(direction, *convertor_local_size(c) - moved, moved == 0);
}

/* Whoever asks for addresses reads the MPI's own position: the convertor is given back. */
static int32_t raw(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *length) {
  mode_addresses_asked++;
  if (convertor_is_placeholder(c)) return OPAL_ERROR;
  convertor_leaves_offer(c);
  if (convertor_is_ours(c)) {
    const struct convertor_own own = *convertor_own(c);
    if (own.is_counted) count_as_native(c);
    convertor_give_back(c, &own);
    if (*convertor_converted(c) < *convertor_local_size(c)) convertor_place(c, *convertor_converted(c));
  }
  return NEXT(opal_convertor_raw)(c, segments, used, length);
}

static size_t compute_remote_size(struct convertor *c) {
  return convertor_is_of_nothing(c) ? convertor_size_of_nothing(c) : NEXT(opal_convertor_compute_remote_size)(c);
}

const struct convertor_hooks *convertor_hooks(void) {
  static const struct convertor_hooks to_5[] = {{send_to_5, receive_to_5, set_position, clone, raw, NULL},
                                                {send_to_5, look, set_position, clone, raw, NULL}},
                                      from_6[] = {{send_from_6, receive_from_6, NULL, clone, raw, NULL},
                                                  {send_from_6, look, NULL, clone, raw, compute_remote_size}};
  const int looks = host_least_bytes() > 0;
  if (!convertor_layout_find()) return NULL;
  host_trials_leave(convertor_long_run_bytes);
  return convertor_layout == &convertor_layout_to_5 ? &to_5[looks] : &from_6[looks];
}

void convertor_place(struct convertor *c, size_t position) {
  /* Behind every position: the MPI starts over, and goes forward to where it is wanted. */
  *convertor_converted(c) = SIZE_MAX;
  if (convertor_layout->place != 0) (*convertor_place_function(c))(c, &position);
  else NEXT(opal_convertor_set_position_nocheck)(c, &position);
}
#endif
