/* A table from handles to pointers that any thread reads without a lock, for every message that is not contiguous. */
#ifndef STOWAGE_HANDLE_TABLE_H
#define STOWAGE_HANDLE_TABLE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct handle_slots;

struct handle_table {
  pthread_mutex_t writing;
  /* Odd while a writer changes slots: readers look again. */
  unsigned sequence;
  size_t used;
  struct handle_slots *slots;
};

#define HANDLE_TABLE_EMPTY {PTHREAD_MUTEX_INITIALIZER, 0, 0, NULL}

/* NULL: none. No handle is 0. */
void *handle_find(struct handle_table *table, uintptr_t handle);

/* The handle's pointer, from now on; a handle that is new is held once. 0: no memory, and it has none. */
int handle_put(struct handle_table *table, uintptr_t handle, void *value);

/* Whoever has the handle once more drops it once more. Nothing for handles that are not here. */
void handle_hold(struct handle_table *table, uintptr_t handle);

/* The pointer of a handle that nobody holds any more, which is gone; else NULL. */
void *handle_drop(struct handle_table *table, uintptr_t handle);

#endif
