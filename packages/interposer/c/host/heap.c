#define _GNU_SOURCE 1
#include "heap.h"

#include "inbox.h"
#include "nameless-file.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct heap_block blocks[HEAP_MOST];
static int count;

static int is_there_any(void) { return __atomic_load_n(&count, __ATOMIC_ACQUIRE) != 0; }
static void set_count(int now) { __atomic_store_n(&count, now, __ATOMIC_RELEASE); }

static struct heap_head *head_of(const struct heap_block *b) { return (struct heap_head *)(b->memory - HEAP_HEAD); }

static int has_id(struct heap_block *b) { return getrandom(&b->id, sizeof b->id, 0) == sizeof b->id && b->id != 0; }

static int is_made(struct heap_block *b) {
  const size_t bytes = HEAP_HEAD + b->bytes;
  void *all = NULL;
  if ((b->file = nameless_make(HEAP_NAME, bytes)) < 0) return 0;
  if (has_id(b) && nameless_allocate(b->file, 0, bytes)) all = nameless_map(b->file, bytes, PROT_READ | PROT_WRITE);
  if (all == NULL) return close(b->file), 0;
  b->memory = (unsigned char *)all + HEAP_HEAD;
  atomic_store(&head_of(b)->id, b->id);
  return 1;
}

static void unmake(const struct heap_block *b) {
  atomic_store(&head_of(b)->id, 0);
  /* Its pages are the system's again, though others have them mapped. */
  fallocate(b->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, HEAP_PAGE, (off_t)b->bytes);
  munmap(head_of(b), HEAP_HEAD + b->bytes);
  close(b->file);
}

static int put(const struct heap_block *b) {
  pthread_mutex_lock(&lock);
  const int has_place = count < HEAP_MOST;
  if (has_place) blocks[count] = *b;
  if (has_place) set_count(count + 1);
  pthread_mutex_unlock(&lock);
  return has_place;
}

void *heap_take(size_t bytes) {
  struct heap_block b = {.bytes = bytes};
  if (inbox_own == NULL || bytes < HEAP_LEAST || bytes > SIZE_MAX / 2 || !is_made(&b)) return NULL;
  if (put(&b)) return b.memory;
  unmake(&b);
  return NULL;
}

int heap_give_back(void *memory) {
  struct heap_block gone;
  if (!is_there_any()) return 0;
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < count && blocks[i].memory != memory) i++;
  const int is_ours = i < count;
  if (is_ours) {
    gone = blocks[i];
    blocks[i] = blocks[count - 1];
    set_count(count - 1);
  }
  pthread_mutex_unlock(&lock);
  if (is_ours) unmake(&gone);
  return is_ours;
}

static int has(const struct heap_block *b, uintptr_t first, uintptr_t end) {
  const uintptr_t from = (uintptr_t)b->memory;
  return first >= from && first <= end && end <= from + b->bytes;
}

int heap_block_of(uintptr_t first, uintptr_t end, struct heap_block *block) {
  if (!is_there_any()) return 0;
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < count && !has(&blocks[i], first, end)) i++;
  const int is_found = i < count;
  if (is_found) *block = blocks[i];
  pthread_mutex_unlock(&lock);
  return is_found;
}
