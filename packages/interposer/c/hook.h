/* Calls of MPI are hooked under both their names: programs call the one, profilers and Fortran's wrappers the other, so that one
 * call may pass here twice. The outermost is the one that counts. */
#ifndef STOWAGE_HOOK_H
#define STOWAGE_HOOK_H

#include "exported.h"
#include "next.h"

/* How many hooked calls this thread is in. */
extern _Thread_local int hook_depth __attribute__((tls_model("initial-exec")));

static inline int is_outermost(void) { return hook_depth == 0; }

/* What a call behind ours returned. */
#define BEHIND(call)            \
  __extension__({               \
    hook_depth++;               \
    const int status_ = (call); \
    hook_depth--;               \
    status_;                    \
  })

#endif
