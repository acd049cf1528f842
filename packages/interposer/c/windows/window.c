#include "window.h"

#include "handle-table.h"
#include "mode.h"
#include "next.h"
#include "predefined.h"

static const char in_place = 1, by_runs = 0;
static struct handle_table windows = HANDLE_TABLE_EMPTY;

static int flavor_of(MPI_Win window) {
  int *flavor = NULL, has = 0;
  if (NEXT(PMPI_Win_get_attr)(window, MPI_WIN_CREATE_FLAVOR, &flavor, &has) != MPI_SUCCESS || !has) return -1;
  return *flavor;
}

/* Windows that were allocated over processes of one host are as those that were asked to be shared. Others refuse the
 * question, which is no error of the program's. */
static int is_shared(MPI_Win window) {
  MPI_Errhandler own;
  MPI_Aint bytes;
  int unit, flavor = flavor_of(window);
  void *memory;
  if (flavor != MPI_WIN_FLAVOR_ALLOCATE) return flavor == MPI_WIN_FLAVOR_SHARED;
  if (NEXT(PMPI_Win_get_errhandler)(window, &own) != MPI_SUCCESS) return 0;
  NEXT(PMPI_Win_set_errhandler)(window, PREDEFINED_ERRORS_RETURN);
  const int is = NEXT(PMPI_Win_shared_query)(window, MPI_PROC_NULL, &bytes, &unit, &memory) == MPI_SUCCESS;
  NEXT(PMPI_Win_set_errhandler)(window, own);
  NEXT(PMPI_Errhandler_free)(&own);
  return is;
}

int window_is_packed_in_place(MPI_Win window) {
  if (!mode_is(MODE_CONVERTOR)) return 0;
  const char *known = handle_find(&windows, (uintptr_t)window);
  if (known == NULL) {
    known = is_shared(window) ? &in_place : &by_runs;
    handle_put(&windows, (uintptr_t)window, (void *)(uintptr_t)known);
  }
  return *known;
}

void window_forget(MPI_Win window) { handle_drop(&windows, (uintptr_t)window); }
