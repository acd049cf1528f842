/* --verify inside Open MPI: each range that our code moves is moved by a native convertor as well, which is put at its
 * place. */
#include "lower-halves.h"
#ifdef HAS_CONVERTORS

#include "convertor-native.h"
#include "convertor.h"

#include "move-range.h"
#include "next.h"
#include "types.h"
#include "verify.h"

#include <stddef.h>
#include <stdlib.h>

/* The longest basic element, a complex quadruple. */
enum { LONGEST = 32 };

/* A range that is packed, against the MPI's pack of the user's bytes: from the basic element on in which it begins. */
static void compare_packed(const struct convertor *c, struct verify_range range, unsigned char *packed) {
  unsigned char *native_bytes = malloc(range.length + 3 * LONGEST);
  if (native_bytes == NULL) return;
  struct native_convertor native;
  native_begin_sender(&native, c);
  const size_t early = *convertor_converted(c) - *convertor_converted(convertor_of(&native));
  const size_t moved = native_run(&native, native_bytes, range.length + 3 * LONGEST);
  native_end(&native);
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
  native_begin_receiver(&native, c);
  native_run(&native, packed, range->length);
  native_end(&native);
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
