#define _GNU_SOURCE 1
#include "host-reads.h"

#include "say.h"
#include "table-file.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/uio.h>

/* UIO_MAXIOV (readv(2)). */
enum { RUNS_OF_CALL = 1024 };

static size_t least_run_bytes = SIZE_MAX;
static uint64_t own_id;

static void ask(void) {
  const char *text = secure_getenv("STOWAGE_HOST_READS");
  size_t bytes;
  if (text == NULL || *text == '\0') return;
  if (!table_number(text, &bytes))
    return say("STOWAGE_HOST_READS: expected bytes of a run, or 0, got %s: none is read so", text);
  if (bytes > 0 && getrandom(&own_id, sizeof own_id, 0) == sizeof own_id) least_run_bytes = bytes;
}

size_t host_reads_from(void) {
  static pthread_once_t asking = PTHREAD_ONCE_INIT;
  pthread_once(&asking, ask);
  return least_run_bytes;
}

uint64_t host_reads_id(void) { return host_reads_from() == SIZE_MAX ? 0 : own_id; }
uint64_t host_reads_place(void) { return (uint64_t)(uintptr_t)&own_id; }

int host_reads_may(pid_t process, uint64_t id, uint64_t place) {
  uint64_t word = 0;
  const struct iovec to = {&word, sizeof word}, from = {(void *)(uintptr_t)place, sizeof word};
  return id != 0 && process_vm_readv(process, &to, 1, &from, 1, 0) == sizeof word && word == id;
}

/* Runs of one side: `count` of them, of so many bytes. */
struct gathered {
  struct iovec runs[RUNS_OF_CALL];
  unsigned long count;
  size_t bytes;
};

static void gather(struct gathered *all, struct run_cursor *c, size_t bytes) {
  uint64_t at, length;
  all->count = 0;
  all->bytes = 0;
  while (all->count < RUNS_OF_CALL && all->bytes < bytes && cursor_at(c, &at, &length)) {
    const size_t left = bytes - all->bytes, some = length < left ? (size_t)length : left;
    all->runs[all->count++] = (struct iovec){(void *)(uintptr_t)at, some};
    all->bytes += some;
    cursor_pass(c, some);
  }
}

/* What one call moves: as much as both sides' runs have. */
static size_t read_some(pid_t process, struct run_cursor *from, struct run_cursor *to, size_t bytes) {
  struct gathered theirs, ours;
  struct run_cursor from_before = *from;
  gather(&theirs, from, bytes);
  gather(&ours, to, theirs.bytes);
  if (ours.bytes < theirs.bytes) gather(&theirs, &from_before, ours.bytes), *from = from_before;
  const ssize_t got = process_vm_readv(process, ours.runs, ours.count, theirs.runs, theirs.count, 0);
  return got == (ssize_t)ours.bytes ? ours.bytes : 0;
}

size_t host_reads(pid_t process, struct run_cursor *from, struct run_cursor *to, size_t bytes) {
  size_t done = 0;
  for (size_t some = 1; done < bytes && some > 0; done += some) some = read_some(process, from, to, bytes - done);
  return done;
}
