/* Calls of MPI are hooked under both their names: programs call the one, profilers and Fortran's wrappers the other, so
 * that one call may pass here twice. The outermost is the one that counts. */
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

/* Whether a profiler stands behind us, which has names of its own, and sees the program's calls. */
#define HAS_PROFILER(name) (NEXT(MPI_##name) != NEXT(PMPI_##name))

/* The hook of one name of rows.h. */
#define HOOK(result, name) HIDDEN result hook_##name

#define LIST(...) __VA_ARGS__

/* The hook of a call under both its names: the body that follows is run for the outermost, and passes on to `next`. */
#define HOOKED(name, parameters, arguments)                                   \
  static int outermost_##name(__typeof__(MPI_##name) *next, LIST parameters); \
  HOOK(int, MPI_##name) parameters {                                          \
    if (!is_outermost()) return NEXT(MPI_##name) arguments;                   \
    return outermost_##name(NEXT(MPI_##name), LIST arguments);                \
  }                                                                           \
  HOOK(int, PMPI_##name) parameters {                                         \
    if (!is_outermost()) return NEXT(PMPI_##name) arguments;                  \
    return outermost_##name(NEXT(PMPI_##name), LIST arguments);               \
  }                                                                           \
  static int outermost_##name(__typeof__(MPI_##name) *next, LIST parameters)

#endif
