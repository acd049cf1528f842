/* The calls that tell of datatypes. */
#include <mpi.h>

#include "hook.h"
#include "types.h"
#ifndef OPEN_MPI
#include "generic-type.h"
#endif

/* A handle that can be sent now. */
static void name(MPI_Datatype type) {
#ifndef OPEN_MPI
  generic_name(type);
#endif
  (void)type;
}

static int committed(int status, const MPI_Datatype *type) {
  if (status != MPI_SUCCESS || !is_outermost()) return status;
  name(*type);
  types_committed(*type);
  return status;
}

EXPORTED int MPI_Type_commit(MPI_Datatype *type) { return committed(BEHIND(NEXT(MPI_Type_commit)(type)), type); }
EXPORTED int PMPI_Type_commit(MPI_Datatype *type) { return committed(BEHIND(NEXT(PMPI_Type_commit)(type)), type); }

/* A duplicate of a committed type is committed. */
static int duplicated(int status, MPI_Datatype from, const MPI_Datatype *to) {
  if (status != MPI_SUCCESS || !is_outermost()) return status;
  name(*to);
  types_duplicated(from, *to);
  return status;
}

EXPORTED int MPI_Type_dup(MPI_Datatype from, MPI_Datatype *to) { return duplicated(BEHIND(NEXT(MPI_Type_dup)(from, to)), from, to); }
EXPORTED int PMPI_Type_dup(MPI_Datatype from, MPI_Datatype *to) { return duplicated(BEHIND(NEXT(PMPI_Type_dup)(from, to)), from, to); }

/* Before the call: behind it, another thread may have been given the same handle. */
static void freeing(const MPI_Datatype *type) {
  if (type != NULL && is_outermost()) types_freed(*type);
}

EXPORTED int MPI_Type_free(MPI_Datatype *type) {
  freeing(type);
  return BEHIND(NEXT(MPI_Type_free)(type));
}

EXPORTED int PMPI_Type_free(MPI_Datatype *type) {
  freeing(type);
  return BEHIND(NEXT(PMPI_Type_free)(type));
}

/* MPICH gives out the handles that a type was made of once more, to be freed once more. */
static int gave_contents(int status, MPI_Datatype type, const MPI_Datatype types[]) {
  int integers, addresses, count, combiner;
  if (status != MPI_SUCCESS || !is_outermost()) return status;
  if (NEXT(PMPI_Type_get_envelope)(type, &integers, &addresses, &count, &combiner) != MPI_SUCCESS) return status;
  for (int i = 0; i < count; i++) types_held(types[i]);
  return status;
}

EXPORTED int MPI_Type_get_contents(MPI_Datatype type, int integers, int addresses, int types, int integer[], MPI_Aint address[],
                                   MPI_Datatype given[]) {
  return gave_contents(
      BEHIND(NEXT(MPI_Type_get_contents)(type, integers, addresses, types, integer, address, given)), type, given);
}

EXPORTED int PMPI_Type_get_contents(MPI_Datatype type, int integers, int addresses, int types, int integer[],
                                    MPI_Aint address[], MPI_Datatype given[]) {
  return gave_contents(
      BEHIND(NEXT(PMPI_Type_get_contents)(type, integers, addresses, types, integer, address, given)), type, given);
}

#if MPI_VERSION >= 4
static int gave_large_contents(int status, MPI_Datatype type, const MPI_Datatype types[]) {
  MPI_Count integers, addresses, counts, count;
  int combiner;
  if (status != MPI_SUCCESS || !is_outermost()) return status;
  if (NEXT(PMPI_Type_get_envelope_c)(type, &integers, &addresses, &counts, &count, &combiner) != MPI_SUCCESS) return status;
  for (MPI_Count i = 0; i < count; i++) types_held(types[i]);
  return status;
}

EXPORTED int MPI_Type_get_contents_c(MPI_Datatype type, MPI_Count integers, MPI_Count addresses, MPI_Count counts, MPI_Count types,
                                     int integer[], MPI_Aint address[], MPI_Count count[], MPI_Datatype given[]) {
  return gave_large_contents(
      BEHIND(NEXT(MPI_Type_get_contents_c)(type, integers, addresses, counts, types, integer, address, count, given)), type, given);
}

EXPORTED int PMPI_Type_get_contents_c(MPI_Datatype type, MPI_Count integers, MPI_Count addresses, MPI_Count counts, MPI_Count types,
                                      int integer[], MPI_Aint address[], MPI_Count count[], MPI_Datatype given[]) {
  return gave_large_contents(
      BEHIND(NEXT(PMPI_Type_get_contents_c)(type, integers, addresses, counts, types, integer, address, count, given)), type, given);
}
#endif
