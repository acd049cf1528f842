#include "heap-seen.h"

#include "heap.h"
#include "nameless-file.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

/* A place has the last block that was told of there; `head` is NULL where that cannot be mapped. */
struct seen {
  uint64_t id;
  struct heap_head *head;
  size_t bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct seen all[INBOX_SEEN];

static int is_there(const struct seen *s, uint64_t id) {
  return s->head != NULL && atomic_load_explicit(&s->head->id, memory_order_relaxed) == id;
}

static void map(struct seen *s, pid_t process, int number) {
  const int file = nameless_open_number(process, number, HEAP_NAME, O_RDONLY, &s->bytes);
  if (file < 0) return;
  if (s->bytes > HEAP_HEAD) s->head = nameless_map(file, s->bytes, PROT_READ);
  close(file);
  if (s->head == NULL || is_there(s, s->id)) return;
  munmap(s->head, s->bytes);
  s->head = NULL;
}

/* The place of one that is gone is the next one's. */
static void replace(struct seen *s, pid_t process, uint64_t id, int number) {
  _Atomic(uint64_t) *told = &inbox_own->seen[id % INBOX_SEEN];
  atomic_store_explicit(told, 0, memory_order_relaxed);
  if (s->head != NULL) munmap(s->head, s->bytes);
  *s = (struct seen){.id = id};
  map(s, process, number);
  if (s->head != NULL) atomic_store_explicit(told, id, memory_order_release);
}

void heap_see(pid_t process, uint64_t id, int number) {
  struct seen *s = &all[id % INBOX_SEEN];
  pthread_mutex_lock(&lock);
  if (id != 0 && s->id != id && !is_there(s, s->id)) replace(s, process, id, number);
  pthread_mutex_unlock(&lock);
}

const unsigned char *heap_seen(uint64_t id, size_t *bytes) {
  const struct seen *s = &all[id % INBOX_SEEN];
  const unsigned char *memory = NULL;
  pthread_mutex_lock(&lock);
  if (id != 0 && s->id == id && s->head != NULL) {
    memory = (const unsigned char *)s->head + HEAP_HEAD;
    *bytes = s->bytes - HEAP_HEAD;
  }
  pthread_mutex_unlock(&lock);
  return memory;
}
