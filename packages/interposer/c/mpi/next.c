#define _GNU_SOURCE 1
#include "next.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

enum { MOST_LIBRARIES = 1024 };

struct libraries {
  const char *names[MOST_LIBRARIES];
  size_t count;
};

static void *(*provided)(const char *name);

void next_from(void *(*source)(const char *name)) {
  if (source != next_function) provided = source;
}

static int add_library(struct dl_phdr_info *info, size_t size, void *into) {
  (void)size;
  struct libraries *all = into;
  if (all->count < MOST_LIBRARIES && info->dlpi_name[0] != '\0') all->names[all->count++] = info->dlpi_name;
  return 0;
}

static const void *base_of(const void *symbol) {
  Dl_info place;
  return symbol != NULL && dladdr(symbol, &place) != 0 ? place.dli_fbase : NULL;
}

/* A library of ours, this one or another, stands in front of the MPI too: what it has by this name is not behind us. */
static int is_ours(void *library, const void *symbol) {
  const void *base = base_of(symbol);
  return base == base_of((const void *)add_library) || base == base_of(dlsym(library, "stowage_interposer_mark"));
}

static void *symbol_of(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL) return NULL;
  void *symbol = dlsym(handle, name);
  if (symbol != NULL && is_ours(handle, symbol)) symbol = NULL;
  dlclose(handle);
  return symbol;
}

static void *symbol_of_any(const char *name) {
  struct libraries all = {.count = 0};
  void *symbol = NULL;
  dl_iterate_phdr(add_library, &all);
  for (size_t i = 0; i < all.count && symbol == NULL; i++) symbol = symbol_of(all.names[i], name);
  return symbol;
}

void *next_function(const char *name) {
  if (provided != NULL) return provided(name);
  void *function = dlsym(RTLD_NEXT, name);
  return function != NULL ? function : symbol_of_any(name);
}

void *shared_object(const char *name) {
  void *object = dlsym(RTLD_DEFAULT, name);
  return object != NULL ? object : symbol_of_any(name);
}
