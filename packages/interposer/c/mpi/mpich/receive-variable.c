/* MPIR_CVAR_UCX_DT_RECV of MPICH from 4.2 on, which earlier releases do not know. */
#define _GNU_SOURCE 1
#include "lower-halves.h"
#ifdef HAS_GENERIC

#include "generic-type.h"
#include "next.h"
#include "receives.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/auxv.h>

/* The names by which MPICH looks for a variable in the environment, the first of which wins. */
static const char *const NAMES[] = {"MPIR_CVAR_UCX_DT_RECV", "MPIR_PARAM_UCX_DT_RECV", "MPICH_UCX_DT_RECV"};

static const void *library_of(const char *function) {
  Dl_info place;
  const void *found = next_function(function);
  return found != NULL && dladdr(found, &place) != 0 ? place.dli_fbase : NULL;
}

/* An MPICH that calls a UCX of its own would unpack by itself, and take no part of a basic element. */
static int comes_to_us(void) {
  const void *ucx = library_of("ucp_dt_create_generic");
  return ucx != NULL && ucx != library_of("PMPI_Init");
}

void generic_ask_to_receive(void) {
  if (getauxval(AT_SECURE) != 0 || !comes_to_us()) return;
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (getenv(NAMES[i]) != NULL) return;
  setenv(NAMES[0], "1", 0);
}

/* -1: MPICH has no such variable. */
static int value(void) {
  int index, known = 0, count;
  MPI_T_cvar_handle handle;
  if (NEXT(PMPI_T_cvar_get_index)(NAMES[0], &index) != MPI_SUCCESS) return -1;
  if (NEXT(PMPI_T_cvar_handle_alloc)(index, NULL, &handle, &count) != MPI_SUCCESS) return -1;
  if (count != 1 || NEXT(PMPI_T_cvar_read)(handle, &known) != MPI_SUCCESS) known = -1;
  NEXT(PMPI_T_cvar_handle_free)(&handle);
  return known;
}

const char *generic_receives(void) {
  int provided;
  if (NEXT(PMPI_T_init_thread) == NULL || NEXT(PMPI_T_cvar_get_index) == NULL) return NULL;
  if (NEXT(PMPI_T_init_thread)(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return NULL;
  const int asked = value();
  NEXT(PMPI_T_finalize)();
  if (asked == 0) receives_watcher = generic_received;
  return asked == 0 ? "MPIR_CVAR_UCX_DT_RECV is off, so that MPICH unpacks by itself" : NULL;
}
#endif
