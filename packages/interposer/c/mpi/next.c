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

static int add_library(struct dl_phdr_info *info, size_t size, void *into) {
  (void)size;
  struct libraries *all = into;
  if (all->count < MOST_LIBRARIES && info->dlpi_name[0] != '\0') all->names[all->count++] = info->dlpi_name;
  return 0;
}

static int is_ours(const void *function) {
  Dl_info its, own;
  return dladdr(function, &its) != 0 && dladdr(&add_library, &own) != 0 && its.dli_fbase == own.dli_fbase;
}

static void *symbol_of(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL) return NULL;
  void *symbol = dlsym(handle, name);
  dlclose(handle);
  return symbol != NULL && !is_ours(symbol) ? symbol : NULL;
}

static void *symbol_of_any(const char *name) {
  struct libraries all = {.count = 0};
  void *symbol = NULL;
  dl_iterate_phdr(add_library, &all);
  for (size_t i = 0; i < all.count && symbol == NULL; i++) symbol = symbol_of(all.names[i], name);
  return symbol;
}

void *next_function(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  return function != NULL ? function : symbol_of_any(name);
}

void *shared_object(const char *name) {
  void *object = dlsym(RTLD_DEFAULT, name);
  return object != NULL ? object : symbol_of_any(name);
}
