#define _GNU_SOURCE 1
#include "family.h"

#include "next.h"

#include <dlfcn.h>

/* The library that a function is of, or the program. */
static void *library_of(const void *function) {
  Dl_info place;
  if (function == NULL || dladdr(function, &place) == 0) return NULL;
  void *library = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return library != NULL ? library : dlopen(NULL, RTLD_LAZY);
}

/* Releases of Open MPI and of MPICH that know of the standard's ABI have the function in their own ABIs too, and say
 * -1. */
static int has_standard_abi(void *library) {
  int (*version)(int *, int *) = (int (*)(int *, int *))dlsym(library, "MPI_Abi_get_version");
  int major = -1, minor = -1;
  return version != NULL && version(&major, &minor) == 0 && major > 0;
}

/* Names that stand in those mpi.h, so that programs are linked with them: MPI_COMM_WORLD is the address of the one,
 * MPI_DUP_FN is the other. */
static enum mpi_family family_of(void *library) {
  if (has_standard_abi(library)) return FAMILY_STANDARD;
  if (dlsym(library, "ompi_mpi_comm_world") != NULL) return FAMILY_OPEN_MPI;
  if (dlsym(library, "MPIR_Dup_fn") != NULL) return FAMILY_MPICH;
  return FAMILY_UNKNOWN;
}

/* By a function that no library of ours stands in front of: with --record two are preloaded, and what is behind the
 * first of most names is the second. */
enum mpi_family mpi_family(void) {
  void *library = library_of(next_function("PMPI_Initialized"));
  if (library == NULL) return FAMILY_UNKNOWN;
  const enum mpi_family family = family_of(library);
  dlclose(library);
  return family;
}
