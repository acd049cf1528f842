#include "staged-memory.h"

#include <pthread.h>
#include <stdlib.h>

/* Rooms of 2^i bytes, from 2^LEAST to 2^MOST; larger ones are the system's at once. At most KEPT bytes lie idle. */
enum { LEAST = 8, MOST = 26, LINE = 64 };
static const size_t KEPT = (size_t)64 << 20;

struct room {
  struct room *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct room *idle[MOST + 1];
static size_t idle_bytes;

static int class_of(size_t bytes) {
  int class = LEAST;
  while (class <= MOST && (size_t)1 << class < bytes) class++;
  return class;
}

unsigned char *staged_memory_take(size_t bytes) {
  const int class = class_of(bytes);
  void *memory = NULL;
  if (class <= MOST) {
    pthread_mutex_lock(&lock);
    if ((memory = idle[class]) != NULL) {
      idle[class] = idle[class]->next;
      idle_bytes -= (size_t)1 << class;
    }
    pthread_mutex_unlock(&lock);
  }
  if (memory != NULL) return memory;
  return posix_memalign(&memory, LINE, class <= MOST ? (size_t)1 << class : bytes) == 0 ? memory : NULL;
}

void staged_memory_give(unsigned char *memory, size_t bytes) {
  const int class = class_of(bytes);
  struct room *room = (struct room *)(void *)memory;
  if (memory == NULL) return;
  pthread_mutex_lock(&lock);
  const int is_kept = class <= MOST && idle_bytes + ((size_t)1 << class) <= KEPT;
  if (is_kept) {
    room->next = idle[class];
    idle[class] = room;
    idle_bytes += (size_t)1 << class;
  }
  pthread_mutex_unlock(&lock);
  if (!is_kept) free(memory);
}
