/* Which messages of the program's calls are ours: those in memory of devices, and in mode staged those of the host. */
#ifndef STOWAGE_OURS_H
#define STOWAGE_OURS_H

#include "offered.h"
#include "staged-message.h"
#include "timed.h"
#include "watch.h"

static inline int call_sends(const struct call *call, struct message *message) {
  return (gpu_maybe() && message_is_sent(call, message)) || (staged_maybe() && staged_is_sent(call, message));
}

static inline int call_receives(const struct call *call, struct message *message) {
  return (gpu_maybe() && message_is_received(call, message)) || (staged_maybe() && staged_is_received(call, message));
}

/* And those that may be offers. */
static inline int call_receives_or_looks(const struct call *call, struct message *message) {
  return call_receives(call, message) || (offered_maybe() && offered_is_received(call, message));
}

/* And those that are tried. */
static inline int call_receives_or_tries(const struct call *call, struct message *message) {
  return call_receives_or_looks(call, message) || (timed_maybe() && timed_is_received(call, message));
}

#endif
