/* Receiving by MPICH's own unpack, which takes no part of a basic element, while UCX cuts a message anywhere: natively
 * such a receive ends in MPI_ERR_TRUNCATE. The part of an element with which a fragment ends is held back until the
 * rest of it has come; a fragment that comes before its turn is kept. */
#ifndef STOWAGE_NATIVE_UNPACK_H
#define STOWAGE_NATIVE_UNPACK_H

#include "generic.h"

/* Longer than any basic element: a complex quadruple, a pair of a long double and an int. */
enum { NATIVE_UNPACK_WINDOW = 64 };

struct early_fragment;

struct native_unpack {
  /* All bytes of the packed stream before `next` have come, of which the last `held` lie here. */
  size_t next, held;
  unsigned char bytes[NATIVE_UNPACK_WINDOW];
  struct early_fragment *early;
};

/* As the operation of the same name, for any fragment. `state` is MPICH's of this message. */
signed char native_unpack(struct native_unpack *unpacked, const struct generic_operations *native, void *state,
                          size_t offset, const void *packed, size_t length);

/* When the message is over: one that ends inside an element leaves the rest of that as it was. */
void native_unpack_end(struct native_unpack *unpacked, const struct generic_operations *native, void *state);

/* Fragments that came are not the message's bytes: it begins anew. */
void native_unpack_forget(struct native_unpack *unpacked);

#endif
