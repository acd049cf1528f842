/* The library that is preloaded where no one knows of which MPI the programs will be, such as those of a shell script:
 * it has the names of interposed.h and nothing else, and loads the hooks for whichever MPI each program turns out to
 * have.
 *
 * STOWAGE_LIBRARIES (STOWAGE_RECORDERS for the recorder's) names them: openmpi=PATH:mpich=PATH:mpi-abi=PATH */
#define _GNU_SOURCE 1
#include "interposed.h"

#include "say.h"
#include "summary.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 4096 };

static const char *name_of(enum mpi_family family) {
  static const char *const names[] = {NULL, "openmpi", "mpich", "mpi-abi"};
  return names[family];
}

/* The path of `name` in a list; 0: there is none. */
static int find_path(const char *list, const char *name, char path[LONGEST_PATH]) {
  const size_t letters = strlen(name);
  for (const char *at = list; at != NULL && *at != '\0'; at += strcspn(at, ":"), at += *at == ':') {
    if (strncmp(at, name, letters) != 0 || at[letters] != '=') continue;
    const char *from = at + letters + 1;
    const size_t length = strcspn(from, ":");
    if (length == 0 || length >= LONGEST_PATH) return 0;
    memcpy(path, from, length);
    path[length] = '\0';
    return 1;
  }
  return 0;
}

/* In no other line of a summary: this process has no library that counts. Nor has a recorder's. */
static void tell_why(const char *why) {
  const struct summary_side side = {0, 0, why};
  if (strcmp(STOWAGE_LIBRARIES, "STOWAGE_LIBRARIES") == 0) summary_append(&side, &side, 1);
}

static void *const *attached(const char *path, const struct attachment *to) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    SAY_ONCE("all messages stay native: %s", dlerror());
    tell_why("the library for this MPI cannot be loaded");
    return NULL;
  }
  void *const *(*attach)(const struct attachment *) =
      (void *const *(*)(const struct attachment *))dlsym(library, "stowage_interposer_attach");
  void *const *hooks = attach == NULL ? NULL : attach(to);
  if (hooks == NULL) {
    tell_why("the library for this MPI is of another version");
    SAY_ONCE("%s: expected hooks of Stowage " STOWAGE_VERSION ", got others: all messages stay native", path);
  }
  return hooks;
}

void *const *hooks_for(enum mpi_family family, const struct attachment *to) {
  char path[LONGEST_PATH];
  const char *name = name_of(family);
  if (name == NULL) SAY_ONCE("an MPI of which nothing is known: all messages stay native");
  else if (find_path(secure_getenv(STOWAGE_LIBRARIES), name, path)) return attached(path, to);
  else SAY_ONCE("no library was built for programs of this MPI (%s): all messages stay native", name);
  tell_why(name == NULL ? "an MPI of which nothing is known" : "no library was built for programs of this MPI");
  return NULL;
}
