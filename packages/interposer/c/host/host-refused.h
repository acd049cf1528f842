/* Elements that do not go past the MPI by what they are: of a type without gaps, or too few bytes. Most messages of
 * most programs are such, of a few types, and each is asked about again and again. */
#ifndef STOWAGE_HOST_REFUSED_H
#define STOWAGE_HOST_REFUSED_H

#include "exported.h"
#include "types.h"

struct host_refused {
  MPI_Datatype type;
  MPI_Count count;
  unsigned changes;
};

enum { HOST_REFUSED_BITS = 3 };

/* This thread's last ones. */
HIDDEN extern _Thread_local struct host_refused host_refused[1 << HOST_REFUSED_BITS]
    __attribute__((tls_model("initial-exec")));

static inline struct host_refused *host_refused_at(MPI_Datatype type) {
  return &host_refused[(uint64_t)(uintptr_t)type * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HOST_REFUSED_BITS)];
}

/* Whether they are known to be such, as long as no type was committed or freed since. */
static inline int host_is_refused(MPI_Datatype type, MPI_Count count) {
  const struct host_refused *known = host_refused_at(type);
  return known->count == count && known->type == type && known->changes == types_changes();
}

static inline void host_refuse(MPI_Datatype type, MPI_Count count) {
  *host_refused_at(type) = (struct host_refused){type, count, types_changes()};
}

#endif
