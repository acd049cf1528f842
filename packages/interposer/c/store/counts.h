/* Messages by our code, and those that stayed native though their datatypes are not contiguous. */
#ifndef STOWAGE_COUNTS_H
#define STOWAGE_COUNTS_H

#include <stdint.h>

struct counts {
  uint64_t our_messages, our_bytes, native_messages, native_bytes;
};

extern struct counts counts;

static inline void count_message(uint64_t *messages, uint64_t *bytes, uint64_t size) {
  __atomic_fetch_add(messages, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(bytes, size, __ATOMIC_RELAXED);
}

static inline void count_ours(uint64_t size) { count_message(&counts.our_messages, &counts.our_bytes, size); }
static inline void count_native(uint64_t size) { count_message(&counts.native_messages, &counts.native_bytes, size); }

/* Bytes of a message of ours that the MPI moved after all. */
static inline void count_given_back(uint64_t size) {
  __atomic_fetch_sub(&counts.our_bytes, size, __ATOMIC_RELAXED);
  __atomic_fetch_add(&counts.native_bytes, size, __ATOMIC_RELAXED);
}

/* At MPI_Finalize: one line under STOWAGE_VERBOSE. */
void counts_say(int rank);

#endif
