#include "window.h"

#include "below.h"
#include "handle-table.h"
#include "mode.h"
#include "next.h"
#include "predefined.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A rank's memory as this process has it: without a base, nowhere. */
struct place {
  void *base;
  int unit;
  enum window_gets gets;
};

/* Without ranks where nothing is known of their memory. */
struct known_window {
  int is_packed_in_place, may_be_read;
  int ranks;
  struct place places[];
};

static struct handle_table windows = HANDLE_TABLE_EMPTY;

static int attribute_of(MPI_Win window, int key) {
  int *value = NULL, has = 0;
  return NEXT(PMPI_Win_get_attr)(window, key, &value, &has) == MPI_SUCCESS && has ? *value : -1;
}

/* Memory of another host has no place, nor has none. Open MPI says so of MPI_PROC_NULL, which stands for all, too. */
static int is_told(MPI_Win window, int rank, struct place *place) {
  MPI_Aint bytes = 0;
  if (NEXT(PMPI_Win_shared_query)(window, rank, &bytes, &place->unit, &place->base) != MPI_SUCCESS) return 0;
  if (bytes == 0) place->base = NULL;
  return 1;
}

MPI_Errhandler window_hold_errors(MPI_Win window) {
  MPI_Errhandler own;
  NEXT(PMPI_Win_get_errhandler)(window, &own);
  NEXT(PMPI_Win_set_errhandler)(window, PREDEFINED_ERRORS_RETURN);
  return own;
}

void window_let_errors_go(MPI_Win window, MPI_Errhandler own) {
  NEXT(PMPI_Win_set_errhandler)(window, own);
  NEXT(PMPI_Errhandler_free)(&own);
}

/* Others than windows that were allocated over processes of one host refuse the question, which is no error of the
 * program's. */
static int is_told_of(MPI_Win window) {
  struct place all = {0};
  const MPI_Errhandler own = window_hold_errors(window);
  const int is = is_told(window, MPI_PROC_NULL, &all);
  window_let_errors_go(window, own);
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

/* Between the first and the last element of a target all memory is the window's, and may be read while others write. */
static int may_be_read(MPI_Win window, int flavor) {
  return mpi_below() == FAMILY_OPEN_MPI && flavor != MPI_WIN_FLAVOR_DYNAMIC &&
         attribute_of(window, MPI_WIN_MODEL) == MPI_WIN_UNIFIED;
}

/* Open MPI 4 tells nothing of windows that it was not asked to share, though it shares those of one host, too. */
static struct known_window *made(MPI_Win window) {
  const int flavor = attribute_of(window, MPI_WIN_CREATE_FLAVOR), is_allocated = flavor == MPI_WIN_FLAVOR_ALLOCATE;
  const int is_shared = flavor == MPI_WIN_FLAVOR_SHARED || (is_allocated && is_told_of(window));
  const int is_packed_in_place = is_shared || (is_allocated && is_job_of_one_host());
  const int is_read = !is_packed_in_place && may_be_read(window, flavor);
  const int ranks = is_shared || is_read ? ranks_of(window) : 0;
  struct known_window *known = calloc(1, sizeof *known + (size_t)ranks * sizeof known->places[0]);
  if (known == NULL) return NULL;
  known->is_packed_in_place = is_packed_in_place;
  known->may_be_read = is_read;
  known->ranks = ranks;
  for (int rank = 0; is_shared && rank < ranks; rank++) is_told(window, rank, &known->places[rank]);
  if (handle_put(&windows, (uintptr_t)window, known)) return known;
  free(known);
  return NULL;
}

/* NULL: there is no memory. */
static struct known_window *known_of(MPI_Win window) {
  static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
  struct known_window *known = handle_find(&windows, (uintptr_t)window);
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

static struct place *place_of(struct known_window *known, int target) {
  return known != NULL && target >= 0 && target < known->ranks ? &known->places[target] : NULL;
}

void *window_address(MPI_Win window, int target, MPI_Aint displacement) {
  const struct place *place = place_of(known_of(window), target);
  if (place == NULL || place->base == NULL) return NULL;
  return (unsigned char *)place->base + displacement * place->unit;
}

enum window_gets *window_gets_from(MPI_Win window, int target) {
  struct known_window *known = known_of(window);
  struct place *place = place_of(known, target);
  return place != NULL && known->may_be_read ? &place->gets : NULL;
}

void window_forget(MPI_Win window) { free(handle_drop(&windows, (uintptr_t)window)); }
