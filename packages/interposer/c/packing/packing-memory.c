#include "packing-memory.h"

#include <pthread.h>
#include <stdlib.h>

struct packing_budget packing_of_accesses = {.most = (size_t)256 << 20};
/* Each receive has its own buffer, too. */
struct packing_budget packing_of_messages = {.most = (size_t)512 << 20};

/* Rooms of 2^i bytes, from 2^LEAST to 2^MOST; larger ones are the system's at once. At most KEPT bytes lie idle. */
enum { LEAST = 8, MOST = 26, LINE = 64 };
static const size_t KEPT = (size_t)64 << 20;

struct room {
  struct room *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct room *idle[MOST + 1];
static size_t idle_bytes;

static size_t room_of(int class, size_t bytes) { return class <= MOST ? (size_t)1 << class : bytes; }

static int class_of(size_t bytes) {
  int class = LEAST;
  while (class <= MOST && (size_t)1 << class < bytes) class++;
  return class;
}

/* With the lock held; NULL: none lies idle. */
static void *take_idle(int class) {
  void *memory = class <= MOST ? idle[class] : NULL;
  if (memory == NULL) return NULL;
  idle[class] = idle[class]->next;
  idle_bytes -= room_of(class, 0);
  return memory;
}

static void *allocated(size_t bytes) {
  void *memory;
  return posix_memalign(&memory, LINE, bytes) == 0 ? memory : NULL;
}

void *packing_memory_take(struct packing_budget *budget, size_t bytes) {
  const int class = class_of(bytes);
  const size_t room = room_of(class, bytes);
  pthread_mutex_lock(&lock);
  const int may = room <= budget->most - budget->taken;
  void *memory = may ? take_idle(class) : NULL;
  if (may && memory == NULL) memory = allocated(room);
  if (memory != NULL) budget->taken += room;
  pthread_mutex_unlock(&lock);
  return memory;
}

void packing_memory_give(struct packing_budget *budget, void *memory, size_t bytes) {
  const int class = class_of(bytes);
  struct room *room = memory;
  if (memory == NULL) return;
  pthread_mutex_lock(&lock);
  budget->taken -= room_of(class, bytes);
  const int is_kept = class <= MOST && idle_bytes + room_of(class, bytes) <= KEPT;
  if (is_kept) {
    room->next = idle[class];
    idle[class] = room;
    idle_bytes += room_of(class, bytes);
  }
  pthread_mutex_unlock(&lock);
  if (!is_kept) free(memory);
}
