#include <mpi.h>

#include "below.h"

#include "mpi-name.h"
#ifdef IS_STANDARD_ABI

#include "next.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct {
  enum mpi_family family;
  char name[64];
} below;

static void find(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", release[32] = "";
  int length;
  NEXT(PMPI_Get_library_version)(text, &length);
  const int is_open_mpi = strncmp(text, "Open MPI", strlen("Open MPI")) == 0;
  /* "Open MPI v6.0.0rc2, package: ...", "MPICH Version:      5.0.2". */
  sscanf(text, is_open_mpi ? "Open MPI v%31[^, \n]" : "%*[^:]: %31[^, \n]", release);
  snprintf(below.name, sizeof below.name, "%s-%s-abi", is_open_mpi ? "openmpi" : "mpich", release);
  below.family = is_open_mpi ? FAMILY_OPEN_MPI : FAMILY_MPICH;
}

static void find_once(void) {
  static pthread_once_t finding = PTHREAD_ONCE_INIT;
  pthread_once(&finding, find);
}

enum mpi_family mpi_below(void) {
  find_once();
  return below.family;
}

const char *mpi_name(void) {
  find_once();
  return below.name;
}

#else

const char *mpi_name(void) { return STOWAGE_MPI; }

#endif
