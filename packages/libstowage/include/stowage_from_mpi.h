/* A committed type from a handle of the MPI that this is compiled with: any that a description takes. Needs mpi.h. */
#ifndef STOWAGE_FROM_MPI_H
#define STOWAGE_FROM_MPI_H

#include "stowage_mpi.h"
#include "stowage_types.h"

/* Commits the type of a handle; bounds are those that the MPI reports. The handle may be freed behind it. Where this
 * fails, *type is NULL. STOWAGE_DESCRIPTION: a type that no description takes, such as MPI_Type_create_f90_real's.
 * Other statuses are those of stowage_commit_description. */
static inline enum stowage_status stowage_from_mpi(stowage_context *context, MPI_Datatype handle, stowage_type **type) {
  uint32_t node;
  size_t length;
  stowage_describer *describer = stowage_describe();
  *type = NULL;
  if (describer == NULL) return STOWAGE_NO_MEMORY;
  enum stowage_status status = stowage_describe_mpi(describer, handle, &node);
  if (status == STOWAGE_OK) {
    const void *description = stowage_described(describer, &length);
    status = stowage_commit_description(context, description, length, type);
  }
  stowage_describer_free(describer);
  return status;
}

#endif
