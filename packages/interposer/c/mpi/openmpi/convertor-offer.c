/* Offers inside Open MPI. A sender's convertor gives an offer for the first bytes that it is asked for, if these lie in
 * the memory that Open MPI's processes of one host share: then the message goes by that, in order, and its receiver
 * looks for one. A receiver's convertor that meets one moves the message out of this process's inbox, by whatever would
 * have moved it out of fragments. */
#include "lower-halves.h"
#ifdef HAS_CONVERTORS

#include "convertor.h"

#include "convertor-native.h"
#include "counts.h"
#include "mode.h"
#include "next.h"
#include "shared-fragments.h"
#include "types.h"
#include "under-way.h"

#include <string.h>

/* What an offer stands for is not the MPI's to move. */
static void nothing(struct convertor *c, enum stowage_direction direction, void *packed, size_t length) {
  (void)c, (void)direction, (void)packed, (void)length;
}

/* What moves the elements of a message that goes as before. */
enum { BY_COPY, BY_THE_MPI, BY_OURS };

/* Whatever would move the message does from now on. */
static void leave(struct convertor *c) {
  const struct convertor_own own = *convertor_own(c);
  if (own.mover == BY_OURS) *convertor_advance_function(c) = own.inner;
  else convertor_give_back(c, &own);
  if (own.mover == BY_COPY) *convertor_flags(c) |= convertor_layout->no_op;
  if (own.mover == BY_THE_MPI) convertor_place(c, *convertor_converted(c));
}

/* --- Senders --- */

static int is_asked_in_time(const struct convertor *c, const struct iovec *segment) {
  return host_sending != NULL && host_sending->number == convertor_own(c)->send && !host_sending->is_offered &&
         segment->iov_len >= HOST_OFFER_BYTES && is_shared_fragment(segment->iov_base);
}

/* The rest is said to be in one fragment, however short that is: of memory that is shared nothing is read but the
 * length, which the receiver's convertor passes over likewise. */
static int32_t pass(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  if (is_shared_fragment(segments->iov_base)) segments->iov_len = *convertor_local_size(c);
  return convertor_advance_by(c, segments, used, moved, STOWAGE_PACK, nothing);
}

/* One of the MPI's own is its for good. */
static int32_t pack_as_before(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  if (convertor_own(c)->mover == BY_OURS) return convertor_own(c)->inner(c, segments, used, moved);
  leave(c);
  return (*convertor_advance_function(c))(c, segments, used, moved);
}

/* Of a persistent request each start begins here. */
static int32_t pack(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  struct convertor_own *own = convertor_own(c);
  const int begins = *convertor_converted(c) == 0;
  if (begins) own->is_offered = is_asked_in_time(c, segments);
  if (!own->is_offered) return pack_as_before(c, segments, used, moved);
  if (!begins) return pass(c, segments, used, moved);
  memcpy(segments->iov_base, &host_sending->offer, sizeof host_sending->offer);
  host_sending->is_carried = 1;
  __atomic_store_n(&host_sending->is_offered, 1, __ATOMIC_RELEASE);
  if (own->mover == BY_THE_MPI && !own->is_counted) count_taken(STOWAGE_PACK, *convertor_local_size(c));
  own->is_counted = 1;
  return convertor_advance_by(c, segments, used, moved, STOWAGE_PACK, nothing);
}

static int is_of(const struct convertor *c, const struct elements *e) {
  return *convertor_datatype(c) == e->type && *convertor_user(c) == e->user && *convertor_count(c) == (size_t)e->count;
}

void convertor_offers(struct convertor *c) {
  const struct host_send *s = host_sending;
  if (s == NULL || !is_of(c, &s->elements)) return;
  struct convertor_own *own = convertor_own(c);
  const int is_ours = convertor_is_ours(c);
  if (is_ours ? own->kernel != s->elements.code.kernel : s->runs == NULL || !convertor_is_plain(c)) return;
  if (!is_ours) {
    convertor_take(c, pack);
    own->is_counted = 0;
  }
  own->mover = is_ours ? BY_OURS : BY_THE_MPI;
  own->inner = *convertor_advance_function(c);
  own->send = s->number;
  own->is_offered = 0;
  *convertor_advance_function(c) = pack;
}

/* --- Receivers --- */

/* Contiguous elements, which opal_convertor_unpack copies where the flag is set. */
static void copied(struct convertor *c, struct iovec *segment, uint32_t *used) {
  size_t moved = 0;
  *convertor_flags(c) |= convertor_layout->no_op;
  NEXT(opal_convertor_unpack)(c, segment, used, &moved);
  *convertor_flags(c) &= ~convertor_layout->no_op;
}

struct reader {
  struct convertor *convertor;
  struct native_convertor native;
};

static void read_on(void *context, size_t offset, unsigned char *packed, size_t length) {
  struct reader *r = context;
  const struct convertor_own *own = convertor_own(r->convertor);
  struct iovec segment = {packed, length};
  uint32_t used = 1;
  size_t moved = 0;
  (void)offset;
  if (own->mover == BY_THE_MPI) native_run(&r->native, packed, length);
  else if (own->mover == BY_COPY) copied(r->convertor, &segment, &used);
  else own->inner(r->convertor, &segment, &used, &moved);
}

/* Elements of a type that has code, whoever would move them. */
static struct host_place place_of(void *context) {
  const struct convertor *c = ((const struct reader *)context)->convertor;
  struct type_code code;
  if (mode_verifies() || !types_find(*convertor_datatype(c), &code)) return (struct host_place){0};
  return (struct host_place){*convertor_user(c), *convertor_count(c), code.kernel};
}

static void take(struct convertor *c, const struct host_offer *offer, size_t size) {
  struct reader reader = {.convertor = c};
  const int is_native = convertor_own(c)->mover == BY_THE_MPI;
  if (is_native) native_begin_receiver(&reader.native, c);
  host_offer_take(offer, size, &(struct host_taker){read_on, place_of, &reader});
  if (is_native) native_end(&reader.native);
}

/* The MPI carries the rest of it. */
static void come_past(struct convertor *c, const struct host_offer *offer) {
  convertor_own(c)->is_offered = 1;
  take(c, offer, *convertor_local_size(c));
  *convertor_converted(c) = 0;
  *convertor_flags(c) &= ~convertor_layout->completed;
}

static int is_offered(const struct iovec *segment, struct host_offer *offer) {
  return segment->iov_len >= HOST_OFFER_BYTES && host_offer_is(segment->iov_base, offer);
}

static int32_t unpack(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  struct host_offer offer;
  if (!convertor_own(c)->is_offered) {
    if (*convertor_converted(c) != 0 || !is_offered(segments, &offer)) {
      leave(c);
      return NEXT(opal_convertor_unpack)(c, segments, used, moved);
    }
    come_past(c, &offer);
  }
  return convertor_advance_by(c, segments, used, moved, STOWAGE_UNPACK, nothing);
}

/* A receive of nothing: the room of a message that it cuts short is given back, and no element moved. */
static int32_t unpack_nothing(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  struct host_offer offer;
  if (*used > 0 && is_offered(segments, &offer)) take(c, &offer, 0);
  *used = 0;
  *moved = 0;
  *convertor_converted(c) = *convertor_local_size(c);
  *convertor_flags(c) |= convertor_layout->completed;
  return 1;
}

/* The MPI does not ask a convertor whose position goes nowhere for anything. So it goes as far as a byte, of a receive
 * that expects none. Where both are one number, that is not known, and asked for each time. */
static void await_with_nothing(struct convertor *c) {
  const struct convertor_layout *layout = convertor_layout;
  struct convertor_own *own = convertor_own(c);
  const uint32_t cleared = layout->homogeneous | layout->completed | layout->no_op | layout->remote_sized;
  own->inner = *convertor_advance_function(c);
  own->mover = BY_COPY;
  own->is_offered = 0;
  *convertor_advance_function(c) = unpack_nothing;
  *convertor_flags(c) = (*convertor_flags(c) & ~cleared) | (layout->goes_as_expected ? 0 : layout->remote_sized);
  *convertor_local_size(c) = !layout->goes_as_expected;
  *convertor_remote_size(c) = *convertor_converted(c) = 0;
}

int convertor_is_of_nothing(const struct convertor *c) { return *convertor_advance_function(c) == unpack_nothing; }

/* What is expected is asked first, and how far its position goes once a message has come. */
size_t convertor_size_of_nothing(struct convertor *c) {
  struct convertor_own *own = convertor_own(c);
  *convertor_remote_size(c) = own->is_offered != 0;
  own->is_offered = 1;
  return *convertor_remote_size(c);
}

static void leave_with_nothing(struct convertor *c) {
  const struct convertor_layout *layout = convertor_layout;
  *convertor_advance_function(c) = convertor_own(c)->inner;
  *convertor_flags(c) |= layout->homogeneous | layout->completed | layout->remote_sized;
  *convertor_local_size(c) = *convertor_remote_size(c) = *convertor_converted(c) = 0;
}

void convertor_awaits_offer(struct convertor *c) {
  const uint32_t flags = *convertor_flags(c);
  if (!host_watches() || mode_compares) return;
  if (*convertor_local_size(c) == 0) return await_with_nothing(c);
  struct convertor_own *own = convertor_own(c);
  const int is_ours = convertor_is_ours(c);
  const convertor_advance inner = *convertor_advance_function(c);
  if (is_ours) *convertor_advance_function(c) = unpack;
  else convertor_take(c, unpack);
  own->mover = is_ours ? BY_OURS : (flags & convertor_layout->no_op) != 0 ? BY_COPY : BY_THE_MPI;
  own->inner = inner;
  own->is_offered = 0;
  if (own->mover == BY_COPY) *convertor_flags(c) &= ~convertor_layout->no_op;
}

void convertor_leaves_offer(struct convertor *c) {
  const convertor_advance advance = *convertor_advance_function(c);
  const struct convertor_own *own = convertor_own(c);
  const int begins = *convertor_converted(c) == 0;
  if (convertor_is_of_nothing(c)) leave_with_nothing(c);
  else if (advance == unpack && !own->is_offered) leave(c);
  else if (advance == pack && (begins || !own->is_offered)) leave(c);
}

int convertor_may_be_offered(const struct convertor *c) {
  const convertor_advance advance = *convertor_advance_function(c);
  return advance == pack || advance == unpack || convertor_is_of_nothing(c);
}
#endif
