/* A store that is filled, and asked again for each type when it has 1, 2, 4, ... of them: what it gives then. Prints
 * how many types it took. */
#include "code-store.h"

#include <stdio.h>
#include <stdlib.h>

static size_t *number_of(struct stowage_code *entry) { return code_own(entry); }

/* Kernels for GPUs: their code is of one level, whatever this processor is. */
static struct stowage_code *type(struct code_store *store, size_t number) {
  return code_device_entry(store, &number, sizeof number);
}

static void fail(const char *what, size_t number, size_t types) {
  printf("type %zu of %zu: %s\n", number, types, what);
  exit(1);
}

static void count(struct stowage_code *entry, void *seen) { ((unsigned char *)seen)[*number_of(entry)]++; }

static void check(struct code_store *store, size_t types) {
  unsigned char *seen = calloc(types + 1, 1);
  for (size_t i = 0; i < types; i++)
    if (*number_of(type(store, i)) != i) fail("expected its entry, got another", i, types);
  code_store_each(store, count, seen);
  for (size_t i = 0; i < types; i++)
    if (seen[i] != 1) fail("expected one visit, got others", i, types);
  free(seen);
}

int main(void) {
  struct code_store *store = code_store_new(NULL, "many types", sizeof(size_t));
  size_t types = 0;
  for (struct stowage_code *entry; (entry = type(store, types)) != NULL;) {
    *number_of(entry) = types++;
    if ((types & (types - 1)) == 0) check(store, types);
  }
  check(store, types);
  printf("%zu\n", types);
  code_store_free(store);
  return 0;
}
