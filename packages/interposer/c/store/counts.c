#include "counts.h"

#include "exported.h"
#include "say.h"

#include <inttypes.h>

struct counts counts;

/* For programs that measure. */
HIDDEN void hook_stowage_interposer_counts(struct counts *now) { *now = counts; }

void counts_say(int rank) {
  say("rank %d: %" PRIu64 " messages of %" PRIu64 " bytes by our code, %" PRIu64 " of %" PRIu64 " bytes natively", rank,
      counts.our_messages, counts.our_bytes, counts.native_messages, counts.native_bytes);
}
