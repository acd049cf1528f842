#include "held.h"

#include <stdlib.h>

static const size_t MOST_BYTES = (size_t)256 << 20;
static size_t held;

void *held_take(size_t bytes) {
  const size_t now = __atomic_add_fetch(&held, bytes, __ATOMIC_RELAXED);
  void *memory = bytes <= MOST_BYTES && now <= MOST_BYTES ? malloc(bytes) : NULL;
  if (memory == NULL) __atomic_fetch_sub(&held, bytes, __ATOMIC_RELAXED);
  return memory;
}

void held_give(void *memory, size_t bytes) {
  free(memory);
  __atomic_fetch_sub(&held, bytes, __ATOMIC_RELAXED);
}
