/* --verify inside Open MPI: each range that our code moves is moved by a native convertor as well, which is put at its
 * place. */
#include <mpi.h>
#ifdef OPEN_MPI

#include "convertor.h"

#include "move-range.h"
#include "next.h"
#include "types.h"
#include "verify.h"

#include <stdlib.h>

/* Open MPI's convertor is longer than the part of it that we know; LONGEST is the longest basic element, a complex
 * quadruple. */
enum { CONVERTOR_BYTES = 1024, STATIC_STACK = 5, LONGEST = 32 };

union native_convertor {
  struct convertor convertor;
  unsigned char bytes[CONVERTOR_BYTES];
};

/* A native receiver that goes on where ours is. */
static void begin_receiver(union native_convertor *native, const struct convertor *c) {
  NEXT(opal_convertor_clone)(c, &native->convertor, 0);
  native->convertor.advance = c->ours.native;
  native->convertor.partial_length = 0;
  convertor_place(&native->convertor, c->converted);
}

static void free_stack(union native_convertor *native) {
  if (native->convertor.stack_size > STATIC_STACK) free(native->convertor.stack);
}

/* A native sender of the same bytes: ours may be a receiver, and is prepared anew. */
static void begin_sender(union native_convertor *native, const struct convertor *c) {
  NEXT(opal_convertor_clone)(c, &native->convertor, 0);
  free_stack(native);
  native->convertor.stack_size = STATIC_STACK;
  native->convertor.flags = 0;
  NEXT(opal_convertor_prepare_for_send)(&native->convertor, c->datatype, c->count, c->user);
  convertor_place(&native->convertor, c->converted);
}

static size_t run_native(union native_convertor *native, void *packed, size_t length) {
  struct iovec segment = {packed, length};
  uint32_t used = 1;
  size_t moved = 0;
  native->convertor.advance(&native->convertor, &segment, &used, &moved);
  free_stack(native);
  return moved;
}

/* A range that is packed, against the MPI's pack of the user's bytes: from the basic element on in which it begins. */
static void compare_packed(const struct convertor *c, struct verify_range range, unsigned char *packed) {
  unsigned char *native_bytes = malloc(range.length + 3 * LONGEST);
  if (native_bytes == NULL) return;
  union native_convertor native;
  begin_sender(&native, c);
  const size_t early = c->converted - native.convertor.converted;
  const size_t moved = run_native(&native, native_bytes, range.length + 3 * LONGEST);
  if (moved < early + range.length) range.length = moved < early ? 0 : moved - early;
  verify_packed(&range, packed, native_bytes + early);
  free(native_bytes);
}

/* By the MPI, and compared; where that cannot be, by ours, and packed again. */
static void unpack_range(struct convertor *c, const struct verify_range *range, unsigned char *packed) {
  if (!verify_can_unpack(range)) {
    move_range(range->kernel, STOWAGE_UNPACK, c->user, c->count, packed, range->first, range->length);
    compare_packed(c, *range, packed);
    return;
  }
  union native_convertor native;
  begin_receiver(&native, c);
  run_native(&native, packed, range->length);
  verify_unpacked(range, c->user, packed);
}

void convertor_verified_range(struct convertor *c, enum stowage_direction direction, void *packed, size_t length) {
  struct type_code code = {0};
  types_find(c->datatype, &code);
  const struct verify_range range = {code.entry, c->ours.kernel, c->count, c->converted, length};
  if (direction == STOWAGE_UNPACK) {
    unpack_range(c, &range, packed);
    return;
  }
  move_range(range.kernel, direction, c->user, c->count, packed, range.first, range.length);
  compare_packed(c, range, packed);
}
#endif
