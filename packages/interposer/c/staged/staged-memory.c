#include "staged-memory.h"

#include <pthread.h>
#include <stdlib.h>

/* Rooms of 2^i bytes, from 2^LEAST to 2^MOST; larger ones are the system's at once. At most KEPT bytes lie idle, and at
 * most TAKEN are in use: many large receives may wait at once, each of which has its own buffer too. */
enum { LEAST = 8, MOST = 26, LINE = 64 };
static const size_t KEPT = (size_t)64 << 20, TAKEN = (size_t)512 << 20;

struct room {
  struct room *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct room *idle[MOST + 1];
static size_t idle_bytes, taken_bytes;

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

unsigned char *staged_memory_take(size_t bytes) {
  const int class = class_of(bytes);
  const size_t room = room_of(class, bytes);
  pthread_mutex_lock(&lock);
  const int may = room <= TAKEN - taken_bytes;
  void *memory = may ? take_idle(class) : NULL;
  if (may && memory == NULL) memory = allocated(room);
  if (memory != NULL) taken_bytes += room;
  pthread_mutex_unlock(&lock);
  return memory;
}

void staged_memory_give(unsigned char *memory, size_t bytes) {
  const int class = class_of(bytes);
  struct room *room = (struct room *)(void *)memory;
  if (memory == NULL) return;
  pthread_mutex_lock(&lock);
  taken_bytes -= room_of(class, bytes);
  const int is_kept = class <= MOST && idle_bytes + room_of(class, bytes) <= KEPT;
  if (is_kept) {
    room->next = idle[class];
    idle[class] = room;
    idle_bytes += room_of(class, bytes);
  }
  pthread_mutex_unlock(&lock);
  if (!is_kept) free(memory);
}
