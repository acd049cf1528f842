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

/* That of a block, known to be mapped or that it cannot be; else NULL. */
static struct seen *known(uint64_t id) {
  for (int i = 0; i < INBOX_SEEN_PLACES; i++)
    if (id != 0 && all[inbox_seen_place(id, i)].id == id) return &all[inbox_seen_place(id, i)];
  return NULL;
}

/* The place of one that is gone is the next one's. NULL: there is none. */
static struct seen *free_place(uint64_t id) {
  for (int i = 0; i < INBOX_SEEN_PLACES; i++) {
    struct seen *s = &all[inbox_seen_place(id, i)];
    if (!is_there(s, s->id)) return s;
  }
  return NULL;
}

static void put(struct seen *s, pid_t process, uint64_t id, int number) {
  _Atomic(uint64_t) *told = &inbox_own->seen[s - all];
  atomic_store_explicit(told, 0, memory_order_relaxed);
  if (s->head != NULL) munmap(s->head, s->bytes);
  *s = (struct seen){.id = id};
  map(s, process, number);
  if (s->head != NULL) atomic_store_explicit(told, id, memory_order_release);
}

void heap_see(pid_t process, uint64_t id, int number) {
  pthread_mutex_lock(&lock);
  struct seen *s = known(id) == NULL ? free_place(id) : NULL;
  if (s != NULL) put(s, process, id, number);
  pthread_mutex_unlock(&lock);
}

const unsigned char *heap_seen(uint64_t id, size_t *bytes) {
  const unsigned char *memory = NULL;
  pthread_mutex_lock(&lock);
  const struct seen *s = known(id);
  if (s != NULL && s->head != NULL) {
    memory = (const unsigned char *)s->head + HEAP_HEAD;
    *bytes = s->bytes - HEAP_HEAD;
  }
  pthread_mutex_unlock(&lock);
  return memory;
}
