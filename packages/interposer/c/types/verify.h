/* What --verify compares: each range that our code moved with what the MPI's own made of it. The first difference is told, the
 * MPI's bytes stand, and messages that begin later are native. */
#ifndef STOWAGE_VERIFY_H
#define STOWAGE_VERIFY_H

#include "stowage.h"

#include <stddef.h>

/* A range of the packed stream of a message. */
struct verify_range {
  const stowage_kernel *kernel;
  size_t count, first, length;
};

/* Bytes that our code packed, and the same of the MPI, which are kept. */
void verify_packed(const struct verify_range *range, void *ours, const void *native);

/* The elements that an unpack is of, gaps as well: a copy taken before it. */
struct verify_shadow {
  unsigned char *user, *copy;
  size_t length;
};

/* 0: too much, not all mapped, or no memory: only bytes of the type can be
 * compared, by packing them again. */
int verify_take_shadow(struct verify_shadow *shadow, const struct verify_range *range, void *user);
/* Makes the user's bytes what they were, and frees the copy; bytes that did not change are not written. */
void verify_take_back(struct verify_shadow *shadow);
/* Where the type's address 0 lies in the copy. */
void *verify_shadow_user(const struct verify_shadow *shadow, void *user);
/* Compares the copy, into which the MPI unpacked, with the user's bytes, gaps as well; frees it. */
void verify_unpacked(struct verify_shadow *shadow, const struct verify_range *range);

/* At MPI_Finalize. */
void verify_say(int rank);

#endif
