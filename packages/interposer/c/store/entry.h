/* What the recording and the device know of a type of the store. */
#ifndef STOWAGE_ENTRY_H
#define STOWAGE_ENTRY_H

#include "code-entry.h"
#include "recording-formats.h"

#include <stdatomic.h>

enum { SIZE_CLASSES = 48 };

/* Messages of one direction. Of class i are those of 2^(i-1) up to below 2^i bytes. */
struct traffic {
#define COUNT(member, name) atomic_int_fast64_t member;
  EACH_TRAFFIC_COUNT(COUNT)
#undef COUNT
  atomic_int_fast64_t by_size[SIZE_CLASSES];
};

struct entry_own {
  atomic_int_fast64_t commits;
  _Atomic(void *) device;    /* what gpu/type.c knows of the type; never freed */
  struct traffic traffic[2]; /* of packing and unpacking; there only where it is recorded */
};

static inline struct entry_own *own_of(struct stowage_code *entry) { return code_own(entry); }

#endif
