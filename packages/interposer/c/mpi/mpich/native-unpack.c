#include "lower-halves.h"
#ifdef HAS_GENERIC

#include "native-unpack.h"

#include <stdlib.h>
#include <string.h>

struct early_fragment {
  struct early_fragment *next;
  size_t offset, length;
  unsigned char bytes[];
};

/* How many of `most` bytes from an element's beginning on are whole elements. MPICH's pack, which cuts none either,
 * tells; the states of its senders and receivers are alike, which the self-test looks at. */
static size_t whole_bytes(const struct generic_operations *native, void *state, size_t offset, size_t most) {
  unsigned char window[NATIVE_UNPACK_WINDOW];
  if (most <= sizeof window) return native->pack(state, offset, window, most);
  unsigned char *copy = malloc(most);
  if (copy == NULL) return 0;
  const size_t whole = native->pack(state, offset, copy, most);
  free(copy);
  return whole;
}

/* From the beginning of an element on. What follows the last whole one is held. */
static signed char unpack_aligned(struct native_unpack *u, const struct generic_operations *native, void *state,
                                  size_t offset, const unsigned char *packed, size_t length) {
  u->next = offset + length;
  if (length == 0) return 0;
  signed char status = native->unpack(state, offset, packed, length);
  if (status == 0) return 0;
  const size_t whole = whole_bytes(native, state, offset, length);
  if (whole >= length || length - whole > sizeof u->bytes) return status;
  if (whole > 0 && (status = native->unpack(state, offset, packed, whole)) != 0) return status;
  u->held = length - whole;
  memcpy(u->bytes, packed + whole, u->held);
  return 0;
}

/* What is held and the fragment's first bytes together, as far as they are whole; then the rest of the fragment. */
static signed char unpack_held(struct native_unpack *u, const struct generic_operations *native, void *state,
                               const unsigned char *packed, size_t length) {
  const size_t first = u->next - u->held, room = sizeof u->bytes - u->held;
  const size_t taken = length < room ? length : room;
  memcpy(u->bytes + u->held, packed, taken);
  const size_t whole = whole_bytes(native, state, first, u->held + taken);
  if (whole <= u->held) {
    if (taken < length) return GENERIC_TRUNCATED;
    u->held += taken;
    u->next += taken;
    return 0;
  }
  const size_t used = whole - u->held;
  u->held = 0;
  const signed char status = native->unpack(state, first, u->bytes, whole);
  return status != 0 ? status : unpack_aligned(u, native, state, first + whole, packed + used, length - used);
}

static signed char unpack_next(struct native_unpack *u, const struct generic_operations *native, void *state,
                               const unsigned char *packed, size_t length) {
  if (u->held != 0) return unpack_held(u, native, state, packed, length);
  return unpack_aligned(u, native, state, u->next, packed, length);
}

static signed char keep(struct native_unpack *u, size_t offset, const void *packed, size_t length) {
  struct early_fragment *fragment = malloc(sizeof *fragment + length);
  if (fragment == NULL) return GENERIC_NO_MEMORY;
  *fragment = (struct early_fragment){u->early, offset, length};
  memcpy(fragment->bytes, packed, length);
  u->early = fragment;
  return 0;
}

/* Those that were kept and whose turn it is now. */
static signed char unpack_kept(struct native_unpack *u, const struct generic_operations *native, void *state) {
  signed char status = 0;
  for (struct early_fragment **at = &u->early; *at != NULL && status == 0;) {
    struct early_fragment *fragment = *at;
    if (fragment->offset != u->next) {
      at = &fragment->next;
      continue;
    }
    *at = fragment->next;
    status = unpack_next(u, native, state, fragment->bytes, fragment->length);
    free(fragment);
    at = &u->early;
  }
  return status;
}

signed char native_unpack(struct native_unpack *u, const struct generic_operations *native, void *state, size_t offset,
                          const void *packed, size_t length) {
  if (length == 0) return 0;
  if (offset != u->next) return keep(u, offset, packed, length);
  const signed char status = unpack_next(u, native, state, packed, length);
  return status != 0 || u->early == NULL ? status : unpack_kept(u, native, state);
}

void native_unpack_forget(struct native_unpack *u) {
  for (struct early_fragment *fragment = u->early, *next; fragment != NULL; fragment = next) {
    next = fragment->next;
    free(fragment);
  }
  *u = (struct native_unpack){0};
}

void native_unpack_end(struct native_unpack *u, const struct generic_operations *native, void *state) {
  unsigned char element[NATIVE_UNPACK_WINDOW];
  const size_t first = u->next - u->held;
  size_t whole = 0;
  for (size_t most = u->held + 1; u->held != 0 && whole == 0 && most <= sizeof element; most++)
    whole = native->pack(state, first, element, most);
  if (whole > u->held) {
    memcpy(element, u->bytes, u->held);
    native->unpack(state, first, element, whole);
  }
  native_unpack_forget(u);
}
#endif
