/* --verify inside Open MPI: each range that our code moves is moved by a native convertor as well, which is put at its
 * place. */
#include "lower-halves.h"
#ifdef HAS_CONVERTORS

#include "convertor.h"

#include "move-range.h"
#include "next.h"
#include "types.h"
#include "verify.h"

#include <stddef.h>
#include <stdlib.h>

/* Open MPI's convertor is longer than the part of it that we know; LONGEST is the longest basic element, a complex
 * quadruple. */
enum { CONVERTOR_BYTES = 1024, LONGEST = 32 };

struct native_convertor {
  _Alignas(max_align_t) unsigned char bytes[CONVERTOR_BYTES];
};

static struct convertor *convertor_of(struct native_convertor *native) { return (void *)native->bytes; }

/* A native receiver that goes on where ours is. */
static void begin_receiver(struct native_convertor *native, const struct convertor *c) {
  struct convertor *receiver = convertor_of(native);
  NEXT(opal_convertor_clone)(c, receiver, 0);
  convertor_give_back(receiver, convertor_own(c));
  *convertor_partial_length(receiver) = 0;
  convertor_place(receiver, *convertor_converted(c));
}

static void free_stack(struct native_convertor *native) {
  struct convertor *c = convertor_of(native);
  if (*convertor_stack_size(c) > CONVERTOR_STATIC_STACK) free(*convertor_stack(c));
}

/* A native sender of the same bytes: ours may be a receiver, and is prepared anew. */
static void begin_sender(struct native_convertor *native, const struct convertor *c) {
  struct convertor *sender = convertor_of(native);
  NEXT(opal_convertor_clone)(c, sender, 0);
  free_stack(native);
  *convertor_stack_size(sender) = CONVERTOR_STATIC_STACK;
  *convertor_stack(sender) = convertor_at(sender, convertor_layout->room);
  *convertor_flags(sender) = 0;
  NEXT(opal_convertor_prepare_for_send)(sender, *convertor_datatype(c), *convertor_count(c), *convertor_user(c));
  convertor_place(sender, *convertor_converted(c));
}

static size_t run_native(struct native_convertor *native, void *packed, size_t length) {
  struct convertor *c = convertor_of(native);
  struct iovec segment = {packed, length};
  uint32_t used = 1;
  size_t moved = 0;
  (*convertor_advance_function(c))(c, &segment, &used, &moved);
  free_stack(native);
  return moved;
}

/* A range that is packed, against the MPI's pack of the user's bytes: from the basic element on in which it begins. */
static void compare_packed(const struct convertor *c, struct verify_range range, unsigned char *packed) {
  unsigned char *native_bytes = malloc(range.length + 3 * LONGEST);
  if (native_bytes == NULL) return;
  struct native_convertor native;
  begin_sender(&native, c);
  const size_t early = *convertor_converted(c) - *convertor_converted(convertor_of(&native));
  const size_t moved = run_native(&native, native_bytes, range.length + 3 * LONGEST);
  if (moved < early + range.length) range.length = moved < early ? 0 : moved - early;
  verify_packed(&range, packed, native_bytes + early);
  free(native_bytes);
}

/* By the MPI, and compared; where that cannot be, by ours, and packed again. */
static void unpack_range(struct convertor *c, const struct verify_range *range, unsigned char *packed) {
  if (!verify_can_unpack(range)) {
    move_range(range->kernel, STOWAGE_UNPACK, *convertor_user(c), *convertor_count(c), packed, range->first,
               range->length);
    compare_packed(c, *range, packed);
    return;
  }
  struct native_convertor native;
  begin_receiver(&native, c);
  run_native(&native, packed, range->length);
  verify_unpacked(range, *convertor_user(c), packed);
}

void convertor_verified_range(struct convertor *c, enum stowage_direction direction, void *packed, size_t length) {
  struct type_code code = {0};
  types_find(*convertor_datatype(c), &code);
  const struct verify_range range = {code.entry, convertor_own(c)->kernel, *convertor_count(c), *convertor_converted(c),
                                     length};
  if (direction == STOWAGE_UNPACK) {
    unpack_range(c, &range, packed);
    return;
  }
  move_range(range.kernel, direction, *convertor_user(c), *convertor_count(c), packed, range.first, range.length);
  compare_packed(c, range, packed);
}
#endif
