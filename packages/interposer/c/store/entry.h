/* What the store and the recording share of a type. */
#ifndef STOWAGE_ENTRY_H
#define STOWAGE_ENTRY_H

#include "store-formats.h"
#include "store.h"

#include <stdatomic.h>

enum { KEY_BYTES = SERVICE_KEY_BYTES, SIZE_CLASSES = 48 };

/* Messages of one direction. Of class i are those of 2^(i-1) up to below 2^i bytes. */
struct traffic {
#define COUNT(member, name) atomic_int_fast64_t member;
  EACH_TRAFFIC_COUNT(COUNT)
#undef COUNT
  atomic_int_fast64_t by_size[SIZE_CLASSES];
};

enum entry_state { ENTRY_NATIVE, ENTRY_ASKED, ENTRY_READY };

struct stowage_code {
  _Atomic(const stowage_kernel *) kernel;
  atomic_int state;
  uint8_t key[KEY_BYTES];
  struct stowage_code *next; /* in its bucket */
  struct stowage_code *next_to_send;
  atomic_int_fast64_t commits;
  struct traffic *traffic; /* of packing and unpacking; NULL where nothing is recorded */
  int is_device;           /* its kernel is for GPUs */
  _Atomic(void *) device;  /* what gpu/type.c knows of the type; never freed */
  size_t length;
  unsigned char description[];
};

/* Calls `visit` with each entry, newest first. Entries that are made meanwhile may be left out. */
void store_each(void (*visit)(struct stowage_code *entry, void *context), void *context);

#endif
