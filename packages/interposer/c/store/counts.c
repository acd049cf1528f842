#include "counts.h"

#include "exported.h"
#include "say.h"

#include <inttypes.h>

struct side_counts counts;

static struct counts both_sides(void) {
  const struct counts *a = &counts.sent, *b = &counts.received;
  return (struct counts){a->our_messages + b->our_messages, a->our_bytes + b->our_bytes,
                         a->native_messages + b->native_messages, a->native_bytes + b->native_bytes,
                         a->left_messages + b->left_messages};
}

/* For programs that measure. */
HIDDEN void hook_stowage_interposer_counts(struct counts *now) { *now = both_sides(); }

void counts_say(int rank) {
  const struct counts both = both_sides();
  say("rank %d: %" PRIu64 " messages of %" PRIu64 " bytes by our code, %" PRIu64 " of %" PRIu64
      " bytes natively (sent: %" PRIu64 " and %" PRIu64 ", received: %" PRIu64 " and %" PRIu64 " messages)",
      rank, both.our_messages, both.our_bytes, both.native_messages, both.native_bytes, counts.sent.our_messages,
      counts.sent.native_messages, counts.received.our_messages, counts.received.native_messages);
  if (both.left_messages > 0)
    say("rank %d: %" PRIu64 " of the native messages have contiguous runs so long that the MPI copies them as fast",
        rank, both.left_messages);
}
