/* What the store, the cache and the service's client share of a type. */
#ifndef STOWAGE_CODE_ENTRY_H
#define STOWAGE_CODE_ENTRY_H

#include "code-store.h"
#include "service-formats.h"

#include <stdatomic.h>

enum { KEY_BYTES = SERVICE_KEY_BYTES };

enum code_state { CODE_NONE, CODE_ASKED, CODE_READY };

struct stowage_code {
  struct code_store *store;
  _Atomic(const stowage_kernel *) kernel;
  atomic_int state;
  uint8_t key[KEY_BYTES];
  struct stowage_code *next; /* in its bucket */
  struct stowage_code *next_to_send;
  int is_device; /* its kernel is for GPUs */
  size_t length;
  void *own;
  unsigned char description[];
};

#endif
