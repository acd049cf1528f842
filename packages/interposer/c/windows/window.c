#include "window.h"

#include "handle-table.h"
#include "mode.h"
#include "next.h"
#include "predefined.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A rank's memory as this process has it. */
struct place {
  void *base;
  int unit;
};

/* Without ranks where the MPI does not tell where their memory is. */
struct known_window {
  int is_packed_in_place;
  int ranks;
  struct place places[];
};

static struct handle_table windows = HANDLE_TABLE_EMPTY;

static int flavor_of(MPI_Win window) {
  int *flavor = NULL, has = 0;
  if (NEXT(PMPI_Win_get_attr)(window, MPI_WIN_CREATE_FLAVOR, &flavor, &has) != MPI_SUCCESS || !has) return -1;
  return *flavor;
}

/* Memory of another host has no place, nor has none. Open MPI says so of MPI_PROC_NULL, which stands for all, too. */
static int is_told(MPI_Win window, int rank, struct place *place) {
  MPI_Aint bytes = 0;
  *place = (struct place){NULL, 0};
  if (NEXT(PMPI_Win_shared_query)(window, rank, &bytes, &place->unit, &place->base) != MPI_SUCCESS) return 0;
  if (bytes == 0) place->base = NULL;
  return 1;
}

/* Others than windows that were allocated over processes of one host refuse the question, which is no error of the
 * program's. */
static int is_told_of(MPI_Win window) {
  struct place all;
  MPI_Errhandler own;
  if (NEXT(PMPI_Win_get_errhandler)(window, &own) != MPI_SUCCESS) return 0;
  NEXT(PMPI_Win_set_errhandler)(window, PREDEFINED_ERRORS_RETURN);
  const int is = is_told(window, MPI_PROC_NULL, &all);
  NEXT(PMPI_Win_set_errhandler)(window, own);
  NEXT(PMPI_Errhandler_free)(&own);
  return is;
}

/* As Open MPI's launcher says. */
static int is_job_of_one_host(void) {
  const char *all = getenv("OMPI_COMM_WORLD_SIZE"), *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  return all != NULL && here != NULL && strcmp(all, here) == 0;
}

static int ranks_of(MPI_Win window) {
  MPI_Group group;
  int ranks = 0;
  if (NEXT(PMPI_Win_get_group)(window, &group) != MPI_SUCCESS) return 0;
  NEXT(PMPI_Group_size)(group, &ranks);
  NEXT(PMPI_Group_free)(&group);
  return ranks;
}

/* Open MPI 4 tells nothing of windows that it was not asked to share, though it shares those of one host, too. */
static struct known_window *made(MPI_Win window) {
  const int flavor = flavor_of(window), is_allocated = flavor == MPI_WIN_FLAVOR_ALLOCATE;
  const int is_shared = flavor == MPI_WIN_FLAVOR_SHARED || (is_allocated && is_told_of(window));
  const int ranks = is_shared ? ranks_of(window) : 0;
  struct known_window *known = malloc(sizeof *known + (size_t)ranks * sizeof known->places[0]);
  if (known == NULL) return NULL;
  known->is_packed_in_place = is_shared || (is_allocated && is_job_of_one_host());
  known->ranks = ranks;
  for (int rank = 0; rank < ranks; rank++) is_told(window, rank, &known->places[rank]);
  if (handle_put(&windows, (uintptr_t)window, known)) return known;
  free(known);
  return NULL;
}

/* NULL: there is no memory. */
static const struct known_window *known_of(MPI_Win window) {
  static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
  const struct known_window *known = handle_find(&windows, (uintptr_t)window);
  if (known != NULL || window == PREDEFINED_NO_WINDOW) return known;
  pthread_mutex_lock(&making);
  known = handle_find(&windows, (uintptr_t)window);
  if (known == NULL) known = made(window);
  pthread_mutex_unlock(&making);
  return known;
}

int window_is_packed_in_place(MPI_Win window) {
  const struct known_window *known = mode_is(MODE_CONVERTOR) ? known_of(window) : NULL;
  return known != NULL && known->is_packed_in_place;
}

void *window_address(MPI_Win window, int target, MPI_Aint displacement) {
  const struct known_window *known = known_of(window);
  if (known == NULL || target < 0 || target >= known->ranks || known->places[target].base == NULL) return NULL;
  return (unsigned char *)known->places[target].base + displacement * known->places[target].unit;
}

void window_forget(MPI_Win window) { free(handle_drop(&windows, (uintptr_t)window)); }
