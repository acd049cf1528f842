/* The calls that tell of datatypes. */
#include <mpi.h>

#include "hook.h"
#include "host-send.h"
#include "lower-halves.h"
#include "types.h"
#include "watch.h"
#ifdef HAS_GENERIC
#include "generic-type.h"
#endif

/* A handle that can be sent now. */
static void name(MPI_Datatype type) {
#ifdef HAS_GENERIC
  generic_name(type);
#endif
  (void)type;
}

HOOKED(Type_commit, (MPI_Datatype * type), (type)) {
  const int status = BEHIND(next(type));
  if (status != MPI_SUCCESS) return status;
  name(*type);
  types_committed(*type, gpu_maybe());
  host_sends_open();
  return status;
}

/* A duplicate of a committed type is committed. */
HOOKED(Type_dup, (MPI_Datatype from, MPI_Datatype *to), (from, to)) {
  const int status = BEHIND(next(from, to));
  if (status != MPI_SUCCESS) return status;
  name(*to);
  types_duplicated(from, *to);
  return status;
}

/* Before the call: behind it, another thread may have been given the same handle. */
HOOKED(Type_free, (MPI_Datatype * type), (type)) {
  if (type != NULL) types_freed(*type);
  return BEHIND(next(type));
}

/* MPICH gives out the handles that a type was made of once more, to be freed once more. */
HOOKED(Type_get_contents,
       (MPI_Datatype type, int integers, int addresses, int types, int integer[], MPI_Aint address[],
        MPI_Datatype given[]),
       (type, integers, addresses, types, integer, address, given)) {
  const int status = BEHIND(next(type, integers, addresses, types, integer, address, given));
  int count, combiner;
  if (status != MPI_SUCCESS) return status;
  if (NEXT(PMPI_Type_get_envelope)(type, &integers, &addresses, &count, &combiner) != MPI_SUCCESS) return status;
  for (int i = 0; i < count; i++) types_held(given[i]);
  return status;
}

#if MPI_VERSION >= 4
HOOKED(Type_get_contents_c,
       (MPI_Datatype type, MPI_Count integers, MPI_Count addresses, MPI_Count counts, MPI_Count types, int integer[],
        MPI_Aint address[], MPI_Count count[], MPI_Datatype given[]),
       (type, integers, addresses, counts, types, integer, address, count, given)) {
  const int status = BEHIND(next(type, integers, addresses, counts, types, integer, address, count, given));
  MPI_Count held;
  int combiner;
  if (status != MPI_SUCCESS) return status;
  if (NEXT(PMPI_Type_get_envelope_c)(type, &integers, &addresses, &counts, &held, &combiner) != MPI_SUCCESS)
    return status;
  for (MPI_Count i = 0; i < held; i++) types_held(given[i]);
  return status;
}
#endif
