#include "lower-halves.h"
#ifdef HAS_GENERIC

#include "generic-type.h"

#include "counts.h"
#include "handle-table.h"
#include "hook.h"
#include "mode.h"

#include <stdlib.h>

int generic_watches = 0;
/* By UCX's datatype, and by the MPI's handle. */
static struct handle_table table = HANDLE_TABLE_EMPTY, named = HANDLE_TABLE_EMPTY;
static _Thread_local struct generic_type *made __attribute__((tls_model("initial-exec")));

/* MPICH makes them in MPI_Type_commit and MPI_Type_dup; what others make with UCX stays theirs. */
HOOK(signed char, ucp_dt_create_generic)(const struct generic_operations *operations, void *context,
                                         uint64_t *datatype) {
  struct generic_type *type = NULL;
  if ((!is_outermost() || generic_watches) && generic_is_known(operations)) type = calloc(1, sizeof *type);
  if (type == NULL) return NEXT(ucp_dt_create_generic)(operations, context, datatype);
  type->context = context;
  const signed char status = NEXT(ucp_dt_create_generic)(&generic_ours, type, datatype);
  type->datatype = *datatype;
  if (status != 0) free(type);
  else {
    made = type;
    /* Without its place in the table it is never freed, and no worse. */
    handle_put(&table, (uintptr_t)*datatype, type);
  }
  return status;
}

HOOK(void, ucp_dt_destroy)(uint64_t datatype) {
  struct generic_type *type = handle_drop(&table, (uintptr_t)datatype);
  NEXT(ucp_dt_destroy)(datatype);
  if (made == type) made = NULL;
  if (type != NULL && type->is_named && handle_find(&named, (uintptr_t)type->handle) == type)
    handle_drop(&named, (uintptr_t)type->handle);
  free(type);
}

/* MPICH gives out a handle again when the type that had it is gone with all its messages. But MPICH 4.0.2 forgets to
 * destroy UCX's datatype where that is an address whose bit 31 is set: it takes the low half for a negative number. */
static void destroy_forgotten(MPI_Datatype handle) {
  const struct generic_type *forgotten = handle_find(&named, (uintptr_t)handle);
  if (forgotten != NULL && forgotten != made) hook_ucp_dt_destroy(forgotten->datatype);
}

void generic_name(MPI_Datatype handle) {
  if (made == NULL) return;
  destroy_forgotten(handle);
  handle_put(&named, (uintptr_t)handle, made);
  made->handle = handle;
  __atomic_store_n(&made->is_named, 1, __ATOMIC_RELEASE);
  made = NULL;
}

void generic_received(MPI_Datatype handle, size_t count) {
  MPI_Count size = 0;
  if (!mode_is(MODE_UCX) || count == 0 || handle_find(&named, (uintptr_t)handle) == NULL) return;
  NEXT(PMPI_Type_size_x)(handle, &size);
  count_native(STOWAGE_UNPACK, count * (uint64_t)size);
}

struct generic_type *generic_made(void) { return made; }
#endif
