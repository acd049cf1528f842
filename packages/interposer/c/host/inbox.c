#define _GNU_SOURCE 1
#include "inbox.h"

#include "nameless-file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

/* MADV_POPULATE_WRITE, which older headers do not have; and how many bytes have their pages made at once. */
enum { POPULATE_WRITE = 23, STEP_BYTES = 64 << 10 };
_Static_assert(INBOX_BYTES % STEP_BYTES == 0, "all rooms");

#define NAME "stowage-inbox"

struct inbox *inbox_own = NULL;
static int own_file = -1;

static struct inbox *map(int file) { return nameless_map(file, sizeof(struct inbox), PROT_READ | PROT_WRITE); }

/* Its head is there from the beginning. */
int inbox_make(void) {
  own_file = nameless_make(NAME, sizeof(struct inbox));
  if (own_file < 0) return 0;
  if (nameless_allocate(own_file, 0, offsetof(struct inbox, rooms))) inbox_own = map(own_file);
  if (inbox_own != NULL && getrandom(inbox_own->nonce, sizeof inbox_own->nonce, 0) == sizeof inbox_own->nonce) return 1;
  inbox_unmake();
  return 0;
}

void inbox_unmake(void) {
  if (inbox_own != NULL) munmap(inbox_own, sizeof *inbox_own);
  if (own_file >= 0) close(own_file);
  inbox_own = NULL;
  own_file = -1;
}

void inbox_close(struct inbox *inbox) { munmap(inbox, sizeof *inbox); }

/* Rooms follow each other in turn, of so many bytes: until one comes again both processors' L1d have had other lines,
 * and their L2 have it yet. */
enum { TURN_BYTES = 256 << 10, TURN = TURN_BYTES / INBOX_CHUNK_BYTES };

void inbox_touch(const struct inbox *inbox) {
  for (size_t at = 0; at < TURN_BYTES; at += INBOX_CHUNK_BYTES)
    (void)*(const volatile unsigned char *)&inbox->rooms[at];
}

/* Has this process's pages of the first rooms made, as many bytes and some more (madvise(2), from Linux 5.14 on). */
static int extend(struct inbox *inbox, struct inbox_use *use, size_t bytes) {
  const size_t there = __atomic_load_n(&use->there, __ATOMIC_RELAXED);
  if (bytes <= there) return 1;
  const size_t wanted = (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
  if (madvise(inbox->rooms + there, wanted - there, POPULATE_WRITE) != 0) return 0;
  __atomic_store_n(&use->there, wanted, __ATOMIC_RELAXED);
  return 1;
}

/* Under an older system all are made. */
static int begin_use(int file, struct inbox *inbox, struct inbox_use *use) {
  *use = (struct inbox_use){0};
  if (extend(inbox, use, 1)) return 1;
  if (errno != EINVAL || !nameless_allocate(file, 0, sizeof *inbox)) return 0;
  inbox_touch(inbox);
  use->there = INBOX_BYTES;
  return 1;
}

struct inbox *inbox_open(pid_t process, struct inbox_use *use) {
  size_t bytes = 0;
  const int file = nameless_open(process, NAME, O_RDWR, &bytes);
  struct inbox *inbox = file >= 0 && bytes == sizeof *inbox ? map(file) : NULL;
  if (inbox != NULL && !begin_use(file, inbox, use)) {
    inbox_close(inbox);
    inbox = NULL;
  }
  if (file >= 0) close(file);
  return inbox;
}

static int chunks_of(size_t bytes) {
  return (int)((sizeof(struct inbox_message) + bytes + INBOX_CHUNK_BYTES - 1) / INBOX_CHUNK_BYTES);
}

enum { WORD = 64 };

static int end_of_word(int chunk) { return (chunk / WORD + 1) * WORD; }

/* Of the word of `from` those up to `end`, which may lie behind it. */
static uint64_t bits(int from, int end) {
  const int last = end < end_of_word(from) ? end : end_of_word(from);
  return UINT64_MAX >> (WORD - (last - from)) << from % WORD;
}

static void give(struct inbox *inbox, int from, int end) {
  for (; from < end; from = end_of_word(from)) atomic_fetch_and(&inbox->claimed[from / WORD], ~bits(from, end));
}

/* All of them, or none. */
static int take(struct inbox *inbox, int from, int end) {
  for (int at = from; at < end; at = end_of_word(at)) {
    const uint64_t wanted = bits(at, end), before = atomic_fetch_or(&inbox->claimed[at / WORD], wanted);
    if ((before & wanted) == 0) continue;
    atomic_fetch_and(&inbox->claimed[at / WORD], ~(wanted & ~before));
    give(inbox, from, at);
    return 0;
  }
  return 1;
}

/* The last that is taken; -1: none is. */
static int last_taken(struct inbox *inbox, int from, int end) {
  int last = -1;
  for (; from < end; from = end_of_word(from)) {
    const uint64_t taken = atomic_load_explicit(&inbox->claimed[from / WORD], memory_order_relaxed) & bits(from, end);
    if (taken != 0) last = end_of_word(from) - 1 - __builtin_clzll(taken);
  }
  return last;
}

/* From there on. -1: there is none. */
static int take_any(struct inbox *inbox, int from, int count) {
  while (from + count <= INBOX_CHUNKS) {
    const int last = last_taken(inbox, from, from + count);
    if (last < 0 && take(inbox, from, from + count)) return from;
    from = last < 0 ? from + 1 : last + 1;
  }
  return -1;
}

static int claim(struct inbox *inbox, int count, struct inbox_use *use) {
  const int wanted = __atomic_load_n(&use->next, __ATOMIC_RELAXED);
  int chunk = wanted + count <= TURN ? wanted : 0;
  if (!take(inbox, chunk, chunk + count) && (chunk = take_any(inbox, chunk, count)) < 0)
    chunk = take_any(inbox, 0, count);
  return chunk;
}

int inbox_claim(struct inbox *inbox, size_t bytes, struct inbox_use *use) {
  const int count = chunks_of(bytes);
  if (bytes == 0 || bytes > INBOX_MOST_BYTES) return -1;
  const int chunk = claim(inbox, count, use), end = chunk + count;
  if (chunk < 0) return -1;
  if (!extend(inbox, use, (size_t)end * INBOX_CHUNK_BYTES)) return give(inbox, chunk, end), -1;
  __atomic_store_n(&use->next, end < TURN ? end : 0, __ATOMIC_RELAXED);
  struct inbox_message *m = inbox_at(inbox, chunk);
  atomic_store_explicit(&m->packed, 0, memory_order_relaxed);
  if (inbox_reuses(bytes)) atomic_store_explicit(&m->read, 0, memory_order_relaxed);
  return chunk;
}

void inbox_release(struct inbox *inbox, int chunk, size_t bytes) { give(inbox, chunk, chunk + chunks_of(bytes)); }
