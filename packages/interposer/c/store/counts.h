/* Messages by our code, and those that stayed native though their datatypes are not contiguous. */
#ifndef STOWAGE_COUNTS_H
#define STOWAGE_COUNTS_H

#include "stowage.h"

#include <stdint.h>

struct counts {
  uint64_t our_messages, our_bytes, native_messages, native_bytes;
  /* Of the native ones, those that the MPI copies as fast as our code would. */
  uint64_t left_messages;
};

/* Messages that were sent, and received; what MPI_Pack and MPI_Unpack moved counts with them. */
struct side_counts {
  struct counts sent, received;
};

extern struct side_counts counts;

static inline struct counts *counts_of(enum stowage_direction direction) {
  return direction == STOWAGE_PACK ? &counts.sent : &counts.received;
}

static inline void count_message(uint64_t *messages, uint64_t *bytes, uint64_t size) {
  __atomic_fetch_add(messages, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(bytes, size, __ATOMIC_RELAXED);
}

static inline void count_ours(enum stowage_direction direction, uint64_t size) {
  struct counts *side = counts_of(direction);
  count_message(&side->our_messages, &side->our_bytes, size);
}

static inline void count_native(enum stowage_direction direction, uint64_t size) {
  struct counts *side = counts_of(direction);
  count_message(&side->native_messages, &side->native_bytes, size);
}

static inline void count_left(enum stowage_direction direction) {
  __atomic_fetch_add(&counts_of(direction)->left_messages, 1, __ATOMIC_RELAXED);
}

/* A message that was left to the MPI, and does not go by it after all. */
static inline void count_taken(enum stowage_direction direction, uint64_t size) {
  struct counts *side = counts_of(direction);
  __atomic_fetch_sub(&side->left_messages, 1, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&side->native_messages, 1, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&side->native_bytes, size, __ATOMIC_RELAXED);
  count_ours(direction, size);
}

/* Bytes of a message of ours that the MPI moved after all; `is_whole`: all that the message has. */
static inline void count_given_back(enum stowage_direction direction, uint64_t size, int is_whole) {
  struct counts *side = counts_of(direction);
  if (is_whole) {
    __atomic_fetch_sub(&side->our_messages, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&side->native_messages, 1, __ATOMIC_RELAXED);
  }
  __atomic_fetch_sub(&side->our_bytes, size, __ATOMIC_RELAXED);
  __atomic_fetch_add(&side->native_bytes, size, __ATOMIC_RELAXED);
}

/* At MPI_Finalize: one line under STOWAGE_VERBOSE. */
void counts_say(int rank);

#endif
