#define _GNU_SOURCE 1
#include "family.h"

#include "next.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

/* The library that a function is of, or the program. */
static void *library_of(const void *function) {
  Dl_info place;
  if (function == NULL || dladdr(function, &place) == 0) return NULL;
  void *library = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return library != NULL ? library : dlopen(NULL, RTLD_LAZY);
}

/* Releases of Open MPI and of MPICH that know of the standard's ABI have the function in their own ABIs too, and say
 * -1. */
static int standard_version(void *library) {
  int (*version)(int *, int *) = (int (*)(int *, int *))dlsym(library, "MPI_Abi_get_version");
  int major = -1, minor = -1;
  return version != NULL && version(&major, &minor) == 0 ? major : -1;
}

/* What the loader knows a library by, whatever its file is called; "": a program, or a library without. */
static const char *name_for_loader(void *library) {
  const struct link_map *map;
  const char *strings = NULL;
  size_t name = 0;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return "";
  for (const ElfW(Dyn) *entry = map->l_ld; entry != NULL && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_STRTAB) strings = (const char *)entry->d_un.d_ptr;
    if (entry->d_tag == DT_SONAME) name = entry->d_un.d_val;
  }
  return strings == NULL || name == 0 ? "" : strings + name;
}

/* Both have to say so: a library of the standard's ABI is `libmpi_abi.so.1` for the loader (MPI 5.0, section 20.2). One
 * that is part of the program has no such name. */
static int has_standard_name(void *library) {
  const char *name = name_for_loader(library);
  return *name == '\0' || strcmp(name, "libmpi_abi.so.1") == 0;
}

/* Names that stand in those mpi.h, so that programs are linked with them: MPI_COMM_WORLD is the address of the one,
 * MPI_DUP_FN is the other. */
static enum mpi_family family_of(void *library) {
  const int standard = standard_version(library);
  if (standard == 1 && has_standard_name(library)) return FAMILY_STANDARD;
  if (standard > 0) return FAMILY_UNKNOWN;
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
