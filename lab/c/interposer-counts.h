/* What stowage_interposer_counts of the interposer tells: messages that were sent, or packed. */
#ifndef INTERPOSER_COUNTS_H
#define INTERPOSER_COUNTS_H

#include <stdint.h>

struct counts {
  uint64_t our_messages, our_bytes, native_messages, native_bytes, left_messages;
};

#endif
