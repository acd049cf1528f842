/* What --verify compares: each range that our code would move with what the MPI's own made of it. Of each type that
 * differs the first difference is told, the MPI's bytes stand, and its messages are native from then on; the others are
 * compared as before. */
#ifndef STOWAGE_VERIFY_H
#define STOWAGE_VERIFY_H

#include "stowage.h"

#include <stddef.h>

struct stowage_code;

/* A range of the packed stream of a message. */
struct verify_range {
  struct stowage_code *entry;
  const stowage_kernel *kernel;
  size_t count, first, length;
};

/* Bytes that our code packed, and the same of the MPI, which are kept. Whether they differed. */
int verify_packed(const struct verify_range *range, void *ours, const void *native);

/* Whether an unpack can be compared at all: elements that lie too far apart cannot, nor where there is no memory. */
int verify_can_unpack(const struct verify_range *range);

/* Bytes that the MPI has unpacked into the user's memory: ours unpacks them elsewhere, and what it writes there must be
 * the same. Of the user's memory only bytes of the type are read, and none is written: others may be another thread's.
 */
void verify_unpacked(const struct verify_range *range, const void *user, const void *packed);

/* At MPI_Finalize. */
void verify_say(int rank);

#endif
