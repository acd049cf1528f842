#include "twin.h"

#include "handle-table.h"
#include "next.h"
#include "window.h"

#include <stdlib.h>

/* By what is known of a type: made once, never freed. */
static struct handle_table twins = HANDLE_TABLE_EMPTY;

/* A duplicate would have the program's attributes copied. */
static int make(MPI_Datatype type, MPI_Datatype *twin) {
  if (NEXT(PMPI_Type_contiguous)(1, type, twin) != MPI_SUCCESS) return 0;
  if (NEXT(PMPI_Type_commit)(twin) == MPI_SUCCESS) return 1;
  NEXT(PMPI_Type_free)(twin);
  return 0;
}

/* Two threads may make one at once: either is right. NULL: there is no memory, or the MPI would not. */
static const MPI_Datatype *twin_of(MPI_Datatype type, struct stowage_code *entry) {
  MPI_Datatype *twin = handle_find(&twins, (uintptr_t)entry);
  if (twin != NULL || (twin = malloc(sizeof *twin)) == NULL) return twin;
  if (make(type, twin)) {
    types_duplicated(type, *twin);
    if (handle_put(&twins, (uintptr_t)entry, twin)) return twin;
  }
  free(twin);
  return NULL;
}

MPI_Datatype twin_for(const struct transfer_call *call) {
  struct type_code code;
  if (call->type != call->target_type || call->count != call->target_count || !types_find(call->type, &code) ||
      code.entry == NULL || code.run_bytes >= LONG_RUN_OF_ONE_TYPE || !window_is_packed_in_place(call->window))
    return call->target_type;
  const MPI_Datatype *twin = code.is_dense || code.run_bytes == 0 ? NULL : twin_of(call->type, code.entry);
  return twin == NULL ? call->target_type : *twin;
}
