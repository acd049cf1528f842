#include <mpi.h>

#include "heap-seen.h"

#include "heap.h"
#include "host-peers.h"
#include "host-reads.h"
#include "nameless-file.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

/* A place has the last block that was told of there. */
struct seen {
  uint64_t id;
  /* NULL: it is not mapped. */
  struct heap_head *head;
  size_t bytes;
  /* All of whose memory may be read; 0: none. */
  pid_t process;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct seen all[INBOX_SEEN];

static int is_there(const struct seen *s) {
  if (s->process != 0) return !host_has_ended(s->process);
  return s->head != NULL && atomic_load_explicit(&s->head->id, memory_order_relaxed) == s->id;
}

static void map(struct seen *s, const struct heap_told *told) {
  const int file = nameless_open_number(told->process, told->file, HEAP_NAME, O_RDONLY, &s->bytes);
  if (file < 0) return;
  if (s->bytes > HEAP_HEAD) s->head = nameless_map(file, s->bytes, PROT_READ);
  close(file);
  if (s->head == NULL || is_there(s)) return;
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
    if (!is_there(s)) return s;
  }
  return NULL;
}

static void put(struct seen *s, const struct heap_told *told) {
  _Atomic(uint64_t) *own = &inbox_own->seen[s - all];
  atomic_store_explicit(own, 0, memory_order_relaxed);
  if (s->head != NULL) munmap(s->head, s->bytes);
  *s = (struct seen){.id = told->id};
  if (told->file != HEAP_NO_FILE) map(s, told);
  else if (host_reads_may(told->process, told->id, told->word)) s->process = told->process;
  if (s->head != NULL || s->process != 0) atomic_store_explicit(own, told->id, memory_order_release);
}

void heap_see(const struct heap_told *told) {
  pthread_mutex_lock(&lock);
  struct seen *s = known(told->id) == NULL ? free_place(told->id) : NULL;
  if (s != NULL) put(s, told);
  pthread_mutex_unlock(&lock);
}

int heap_seen(uint64_t id, struct heap_view *view) {
  pthread_mutex_lock(&lock);
  const struct seen *s = known(id);
  const int is_readable = s != NULL && (s->process != 0 || is_there(s));
  if (is_readable && s->head == NULL) *view = (struct heap_view){NULL, SIZE_MAX, s->process};
  else if (is_readable) *view = (struct heap_view){(const unsigned char *)s->head + HEAP_HEAD, s->bytes - HEAP_HEAD, 0};
  pthread_mutex_unlock(&lock);
  return is_readable;
}
