/* Open MPI's convertor, by the layout of the release that runs. */
#ifndef STOWAGE_CONVERTOR_H
#define STOWAGE_CONVERTOR_H

#include "convertor-layout.h"
#include "exported.h"
#include "stowage.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct convertor;
typedef int32_t (*convertor_advance)(struct convertor *, struct iovec *, uint32_t *used, size_t *moved);
typedef int32_t (*convertor_positioner)(struct convertor *, size_t *position);

/* What stands in a convertor that is ours, where the MPI has room. */
struct convertor_own {
  convertor_advance advance;
  convertor_positioner place;
  const stowage_kernel *kernel;
  /* A clone's message was counted with the first. */
  int is_counted;
  /* Of a message that may be offered (convertor-offer.c): what advances where it is not; which send it is of, or what
   * moves a receive's elements; and whether its bytes go, or have gone, past the MPI. */
  convertor_advance inner;
  uint64_t send;
  int mover, is_offered;
};

static inline void *convertor_at(const struct convertor *c, convertor_field offset) {
  return (unsigned char *)(uintptr_t)c + offset;
}

#define CONVERTOR_FIELD(type, name) \
  static inline type *convertor_##name(const struct convertor *c) { return convertor_at(c, convertor_layout->name); }
CONVERTOR_FIELD(uint32_t, flags)
CONVERTOR_FIELD(size_t, local_size)
CONVERTOR_FIELD(size_t, remote_size)
CONVERTOR_FIELD(MPI_Datatype, datatype)
CONVERTOR_FIELD(size_t, count)
CONVERTOR_FIELD(void *, user)
CONVERTOR_FIELD(uint32_t, stack_size)
CONVERTOR_FIELD(void *, stack)
CONVERTOR_FIELD(size_t, partial_length)
CONVERTOR_FIELD(size_t, converted)
#undef CONVERTOR_FIELD
static inline convertor_advance *convertor_advance_function(const struct convertor *c) {
  return convertor_at(c, convertor_layout->advance);
}
/* Where the layout has one. */
static inline convertor_positioner *convertor_place_function(const struct convertor *c) {
  return convertor_at(c, convertor_layout->place);
}

_Static_assert(sizeof(struct convertor_own) <= CONVERTOR_ROOM, "ours has room");
static inline struct convertor_own *convertor_own(const struct convertor *c) {
  return convertor_at(c, convertor_layout->room);
}

/* Open MPI's functions: of these its libraries call all but the first by way of our hooks. */
int32_t opal_convertor_unpack(struct convertor *, struct iovec *, uint32_t *used, size_t *moved);
int32_t opal_convertor_prepare_for_send(struct convertor *, MPI_Datatype, size_t count, const void *user);
int32_t opal_convertor_prepare_for_recv(struct convertor *, MPI_Datatype, size_t count, const void *user);
int32_t opal_convertor_set_position_nocheck(struct convertor *, size_t *position);
int32_t opal_convertor_raw(struct convertor *, struct iovec *, uint32_t *used, size_t *length);
int opal_convertor_clone(const struct convertor *from, struct convertor *to, int32_t copies_stack);
size_t opal_convertor_compute_remote_size(struct convertor *);

/* What stands in front of Open MPI's functions. */
struct convertor_hooks {
  int32_t (*prepare_for_send)(struct convertor *, MPI_Datatype, size_t count, const void *user);
  int32_t (*prepare_for_recv)(struct convertor *, MPI_Datatype, size_t count, const void *user);
  int32_t (*set_position_nocheck)(struct convertor *, size_t *position);
  int (*clone)(const struct convertor *from, struct convertor *to, int32_t copies_stack);
  int32_t (*raw)(struct convertor *, struct iovec *, uint32_t *used, size_t *length);
  size_t (*compute_remote_size)(struct convertor *);
};

/* Those for this process's MPI, by its release. NULL: its convertors are not known. */
const struct convertor_hooks *convertor_hooks(void);

/* The function that advances, and that which sets the position, become ours; what was there before is kept. */
void convertor_take(struct convertor *, convertor_advance);
/* They are again what they were. */
void convertor_give_back(struct convertor *, const struct convertor_own *);

/* Whether it is one of messages that code of the processor may move, in the bytes that both sides have. */
int convertor_is_plain(const struct convertor *);

/* Whether its functions are ours. */
int convertor_is_ours(const struct convertor *);

/* Puts a native convertor at a position; a sender's comes to stand at the beginning of the basic element there. */
void convertor_place(struct convertor *, size_t position);

/* Moves a convertor on through segments, range by range: a fragment begins and ends at any byte, of a basic element
 * too. */
typedef void (*convertor_range)(struct convertor *, enum stowage_direction, void *packed, size_t length);
HIDDEN int32_t convertor_advance_by(struct convertor *, struct iovec *, uint32_t *used, size_t *moved,
                                    enum stowage_direction, convertor_range);

/* Moves `length` bytes from the convertor's position on, by both, and compares. */
void convertor_verified_range(struct convertor *, enum stowage_direction, void *packed, size_t length);

/* Has a native convertor's time recorded. */
void convertor_record_native(struct convertor *);

/* Placeholders (gpu/placeholder.h): whether one was prepared as such, and takes it if it is one. */
int convertor_is_placeholder(const struct convertor *);
int convertor_takes_placeholder(struct convertor *, enum stowage_direction);

/* Offers (host/host-offer.h): one that was prepared, and taken or left native, becomes one that gives an offer in its
 * bytes' stead if this thread's call sends one, or that takes one if one comes. What is native and sent so is of long
 * runs, which lie where the receiver may read them (host/host-lying.h). */
int convertor_may_be_offered(const struct convertor *);
/* Whether it is a receive of nothing, which a longer message may meet; and the size that the MPI is told it has. */
int convertor_is_of_nothing(const struct convertor *);
size_t convertor_size_of_nothing(struct convertor *);
void convertor_offers(struct convertor *);
void convertor_awaits_offer(struct convertor *);
/* It is what it was before: none is given, and none will come. */
void convertor_leaves_offer(struct convertor *);

/* While it is set, called with each convertor that was prepared for data that is not contiguous. */
extern void (*convertor_watcher)(struct convertor *);

/* NULL where this Open MPI's convertors are such; else why not. Runs in MPI_Init. */
const char *convertor_test(void);

#endif
