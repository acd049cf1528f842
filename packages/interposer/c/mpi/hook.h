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

/* A call that is passed on as it is unless `wanted`: then the body that follows is run. What is passed on is jumped to, so that it
 * costs a few instructions; the function is looked up at the first call. */
#define PASSES(name, wanted, parameters, arguments)                                                   \
  static int name##_ours parameters;                                                                  \
  static int name##_first parameters;                                                                 \
  static __typeof__(name) *name##_next = name##_first;                                                \
  static int name##_first parameters {                                                                \
    __atomic_store_n(&name##_next, (__typeof__(name) *)next_function(#name), __ATOMIC_RELAXED);       \
    return name##_next arguments;                                                                     \
  }                                                                                                   \
  EXPORTED int name parameters {                                                                      \
    if (UNLIKELY(wanted)) return name##_ours arguments;                                               \
    return __atomic_load_n(&name##_next, __ATOMIC_RELAXED) arguments;                                 \
  }                                                                                                   \
  __attribute__((noinline, cold)) static int name##_ours parameters

#endif
