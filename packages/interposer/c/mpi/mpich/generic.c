/* Packing inside MPICH. Its device ch4:ucx makes a generic datatype of UCX for each committed type: functions that pack
 * and unpack any range, from any protocol of UCX. Ours stand between. Each message has MPICH's state too, since to
 * finish that gives back the reference to the type which the send or receive took; a native message has no other,
 * marked in its lowest bit. */
#include "lower-halves.h"
#ifdef HAS_GENERIC

#include "generic.h"

#include "counts.h"
#include "generic-offer.h"
#include "generic-type.h"
#include "hook.h"
#include "host-offer.h"
#include "placeholder.h"
#include "native-unpack.h"
#include "mode.h"
#include "move-range.h"
#include "record.h"
#include "say.h"
#include "types.h"
#include "verify.h"

#include <stdlib.h>

/* MPICH has one set of operations for all its types. */
static struct generic_operations native;

struct message {
  /* Set where the message stands for another (gpu/placeholder.h): its bytes are asked of that, and nothing else is set
   * but the size. */
  struct placeholder *placeholder;
  struct stowage_code *entry;
  const stowage_kernel *kernel;
  void *user;
  size_t count, size, period;
  /* MPICH's state of the same message. */
  void *native;
  int is_native_receive;
  /* What stands for the bytes of one that is sent past the MPI; one that came so is here, and the MPI's bytes are none.
   */
  struct sent_offer *offer;
  int has_come_past;
};

/* One that MPICH unpacks: without a kernel. */
struct native_receive {
  struct message message;
  struct native_unpack unpacked;
};

static void *marked(void *state) { return (void *)((uintptr_t)state | 1); }
static int is_marked(const void *state) { return ((uintptr_t)state & 1) != 0; }
static void *unmarked(void *state) { return (void *)((uintptr_t)state & ~(uintptr_t)1); }

/* Where a receive cannot be looked at that may be of an offer. */
static void *unwatched(enum stowage_direction direction, void *state) {
  if (direction == STOWAGE_UNPACK && host_watches()) end_without_memory("a receive that may come past the MPI");
  return marked(state);
}

/* The state of a native message that passes here: its time is recorded, or what it unpacks may be cut anywhere. */
static void *watched(struct stowage_code *entry, enum stowage_direction direction, void *state) {
  struct message *message =
      direction == STOWAGE_PACK ? malloc(sizeof *message) : calloc(1, sizeof(struct native_receive));
  if (message == NULL) return unwatched(direction, state);
  *message = (struct message){.entry = entry,
                              .size = native.packed_size(state),
                              .native = state,
                              .is_native_receive = direction == STOWAGE_UNPACK};
  return message;
}

/* A message of which we have no code. */
static void *native_state(struct stowage_code *entry, enum stowage_direction direction, void *state) {
  const int is_recorded = entry != NULL && record_wanted();
  if (mode_is(MODE_UCX)) {
    const size_t size = native.packed_size(state);
    count_native(direction, size);
    if (is_recorded) record_message(entry, direction, (int64_t)size, 0, 0, 0);
  }
  return is_recorded || direction == STOWAGE_UNPACK ? watched(entry, direction, state) : marked(state);
}

/* One is made for a state that cannot be done without: MPICH would read the placeholder's own bytes. */
static void *placed(void *user, void *state) {
  struct message *message = malloc(sizeof *message);
  if (message == NULL) end_without_memory("what a placeholder stands for");
  *message = (struct message){.placeholder = user, .size = native.packed_size(state), .native = state};
  return message;
}

static int is_placeholder(const struct generic_type *type) {
  return UNLIKELY(__atomic_load_n(&placeholder_types, __ATOMIC_ACQUIRE) != 0) && type->is_named &&
         placeholder_is(type->handle);
}

/* Our state of a message for which MPICH has made its own. */
static void *taken(const struct generic_type *type, enum stowage_direction direction, void *user, size_t count,
                   void *state) {
  struct type_code code = {0};
  struct message *message;
  if (is_placeholder(type)) return placed(user, state);
  const int ours = mode_is(MODE_UCX) && type->is_named && types_find(type->handle, &code);
  if (!ours || (message = malloc(sizeof *message)) == NULL) return native_state(code.entry, direction, state);
  *message = (struct message){.entry = code.entry,
                              .kernel = code.kernel,
                              .user = user,
                              .count = count,
                              .size = count * code.size_bytes,
                              .period = code.period_bytes,
                              .native = state,
                              .offer = direction == STOWAGE_PACK ? offer_begin(type, user, count) : NULL};
  count_ours(direction, message->size);
  if (code.entry != NULL) record_message(code.entry, direction, (int64_t)message->size, 0, 0, 1);
  return message;
}

static void *start_pack(void *context, const void *user, size_t count) {
  const struct generic_type *type = context;
  return taken(type, STOWAGE_PACK, (void *)(uintptr_t)user, count, native.start_pack(type->context, user, count));
}

static void *start_unpack(void *context, void *user, size_t count) {
  const struct generic_type *type = context;
  return taken(type, STOWAGE_UNPACK, user, count, native.start_unpack(type->context, user, count));
}

static int is_verified(const struct message *message) { return mode_verifies() && message->kernel != PROBE_KERNEL; }

static size_t packed_size(void *state) {
  return is_marked(state) ? native.packed_size(unmarked(state)) : ((struct message *)state)->size;
}

/* How much of a fragment is filled: up to the end of a basic element, since a receiver that is native takes no part of
 * one. */
static size_t whole_elements(const struct message *message, size_t offset, size_t most) {
  const size_t left = message->size - offset;
  if (left <= most) return left;
  if (offset % message->period != 0) return 0;
  return most - most % message->period;
}

static size_t pack_verified(const struct message *message, size_t offset, void *packed, size_t length) {
  const struct verify_range range = {message->entry, message->kernel, message->count, offset, length};
  unsigned char *bytes = malloc(length + 1);
  if (bytes != NULL && native.pack(message->native, offset, bytes, length) == length)
    verify_packed(&range, packed, bytes);
  free(bytes);
  return length;
}

static size_t pack_recorded(const struct message *message, size_t offset, void *packed, size_t most) {
  const int64_t start_ns = record_start();
  const size_t length = native.pack(message->native, offset, packed, most);
  record_packed(message->entry, STOWAGE_PACK, start_ns, 0);
  return length;
}

static signed char unpack_natively(struct message *message, size_t offset, const void *packed, size_t length) {
  const int64_t start_ns = record_start();
  struct native_receive *receive = (struct native_receive *)message;
  const signed char status = native_unpack(&receive->unpacked, &native, message->native, offset, packed, length);
  record_packed(message->entry, STOWAGE_UNPACK, start_ns, 0);
  return status;
}

/* A fragment that begins inside an element of several basic types: MPICH alone knows where such a fragment may end. */
static size_t given_back(const struct message *message, size_t offset, void *packed, size_t most) {
  const size_t length = native.pack(message->native, offset, packed, most);
  count_given_back(STOWAGE_PACK, length, 0);
  return length;
}

static size_t pack_placeholder(const struct message *message, size_t offset, void *packed, size_t most) {
  const size_t left = message->size - offset, length = left < most ? left : most;
  message->placeholder->pack(message->placeholder, offset, packed, length);
  return length;
}

static size_t pack_offer(const struct message *message, size_t offset, void *packed, size_t most) {
  const size_t left = message->size - offset, length = left < most ? left : most;
  offer_pack(message->offer, offset, packed, length);
  return length;
}

static size_t pack(void *state, size_t offset, void *packed, size_t most) {
  if (is_marked(state)) return native.pack(unmarked(state), offset, packed, most);
  const struct message *message = state;
  if (UNLIKELY(message->offer != NULL)) return pack_offer(message, offset, packed, most);
  if (UNLIKELY(message->placeholder != NULL)) return pack_placeholder(message, offset, packed, most);
  if (UNLIKELY(message->kernel == NULL)) return pack_recorded(message, offset, packed, most);
  const size_t length = whole_elements(message, offset, most);
  if (length == 0) return given_back(message, offset, packed, most);
  const int64_t start_ns = record_start();
  move_range(message->kernel, STOWAGE_PACK, message->user, message->count, packed, offset, length);
  record_packed(message->entry, STOWAGE_PACK, start_ns, 1);
  return is_verified(message) ? pack_verified(message, offset, packed, length) : length;
}

/* Whether MPICH's own unpack takes the range. */
static int is_whole(const struct message *message, size_t first, size_t length) {
  return first % message->period == 0 && (first + length == message->size || length % message->period == 0);
}

/* By MPICH, where that takes the range and what it wrote can be compared; else by ours. */
static void unpack_verified(const struct message *message, size_t first, void *packed, size_t length) {
  const struct verify_range range = {message->entry, message->kernel, message->count, first, length};
  if (!is_whole(message, first, length) || !verify_can_unpack(&range)) {
    move_range(message->kernel, STOWAGE_UNPACK, message->user, message->count, packed, first, length);
    return;
  }
  native.unpack(message->native, first, packed, length);
  verify_unpacked(&range, message->user, packed);
}

static void unpack_by_code(const struct message *message, size_t offset, void *packed, size_t length) {
  const int64_t start_ns = is_verified(message) ? 0 : record_start();
  if (is_verified(message)) unpack_verified(message, offset, packed, length);
  else move_range(message->kernel, STOWAGE_UNPACK, message->user, message->count, packed, offset, length);
  record_packed(message->entry, STOWAGE_UNPACK, start_ns, 1);
}

static void read_offered(void *context, size_t offset, unsigned char *packed, size_t length) {
  struct message *message = context;
  if (message->kernel == NULL) unpack_natively(message, offset, packed, length);
  else unpack_by_code(message, offset, packed, length);
}

static struct host_place place_of(void *context) {
  const struct message *message = context;
  return (struct host_place){message->user, message->count, is_verified(message) ? NULL : message->kernel};
}

/* By whatever would have moved it out of fragments. Of those none was the message's, should any have come before. */
static void come_past(struct message *message, const struct host_offer *offer) {
  message->has_come_past = 1;
  if (message->is_native_receive) native_unpack_forget(&((struct native_receive *)message)->unpacked);
  host_offer_take(offer, message->size, &(struct host_taker){read_offered, place_of, message});
}

static int is_offered(size_t offset, const void *packed, size_t length, struct host_offer *offer) {
  return UNLIKELY(host_watches()) && offset == 0 && length >= HOST_OFFER_BYTES && host_offer_is(packed, offer);
}

static signed char unpack(void *state, size_t offset, const void *packed, size_t length) {
  struct host_offer offer;
  if (is_marked(state)) return native.unpack(unmarked(state), offset, packed, length);
  struct message *message = state;
  if (UNLIKELY(message->placeholder != NULL)) {
    if (offset > message->size || length > message->size - offset) return GENERIC_TRUNCATED;
    message->placeholder->unpack(message->placeholder, offset, packed, length);
    return 0;
  }
  if (is_offered(offset, packed, length, &offer)) come_past(message, &offer);
  if (UNLIKELY(message->has_come_past)) return 0;
  if (UNLIKELY(message->kernel == NULL)) return unpack_natively(message, offset, packed, length);
  if (offset > message->size || length > message->size - offset) return GENERIC_TRUNCATED;
  if (length == 0) return 0;
  unpack_by_code(message, offset, (void *)(uintptr_t)packed, length);
  return 0;
}

void generic_forget(void *state) {
  if (!is_marked(state)) free(state);
}

static void finish(void *state) {
  struct message *message = state;
  if (!is_marked(state) && message->offer != NULL) offer_end(message->offer);
  if (!is_marked(state) && message->is_native_receive) {
    struct native_receive *receive = state;
    native_unpack_end(&receive->unpacked, &native, message->native);
  }
  native.finish(is_marked(state) ? unmarked(state) : message->native);
  generic_forget(state);
}

const struct generic_operations generic_ours = {start_pack, start_unpack, packed_size, pack, unpack, finish};

size_t generic_receiver_packs(const struct generic_type *type, void *user, size_t count, void *packed, size_t most) {
  return native.pack(native.start_unpack(type->context, user, count), 0, packed, most);
}

int generic_is_known(const struct generic_operations *operations) {
  if (native.start_pack == NULL) {
    native = *operations;
    placeholder_committed = generic_name;
  }
  return native.start_pack == operations->start_pack && native.start_unpack == operations->start_unpack &&
         native.packed_size == operations->packed_size && native.pack == operations->pack &&
         native.unpack == operations->unpack && native.finish == operations->finish;
}
#endif
