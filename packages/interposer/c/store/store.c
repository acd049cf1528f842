#define _GNU_SOURCE 1
#include "store.h"

#include "entry.h"
#include "record.h"
#include "say.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef STOWAGE_VERSION
#error "STOWAGE_VERSION: expected the version of @stowage/interposer, as `stowage interposer build` defines it"
#endif

/* Made once, and never freed: messages may be under way when a process ends. */
static _Atomic(struct code_store *) all;

static struct code_store *opened(void) { return atomic_load_explicit(&all, memory_order_acquire); }

/* Calls come one at a time. */
void store_open(void) {
  struct code_store *store = opened();
  if (store == NULL) {
    const size_t own = record_wanted() ? sizeof(struct entry_own) : offsetof(struct entry_own, traffic);
    store = code_store_new(secure_getenv("STOWAGE_CACHE"), STOWAGE_VERSION, own);
    if (store == NULL) return;
    if (!code_store_has_level(store)) SAY_ONCE("no code for this kind of processor: datatypes stay native");
    atomic_store_explicit(&all, store, memory_order_release);
  }
  code_store_join(store, secure_getenv("STOWAGE_SERVICE"));
}

void store_close(void) {
  if (opened() != NULL) code_store_leave(opened());
}

struct stowage_code *store_entry(const void *description, size_t length) {
  return opened() == NULL ? NULL : code_entry(opened(), description, length);
}

struct stowage_code *store_device_entry(const void *description, size_t length) {
  return opened() == NULL ? NULL : code_device_entry(opened(), description, length);
}

void store_each(void (*visit)(struct stowage_code *, void *), void *context) {
  if (opened() != NULL) code_store_each(opened(), visit, context);
}
