#define _GNU_SOURCE 1
#include "inbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "stowage-inbox"
static const char LINK[] = "/memfd:" NAME " (deleted)";

struct inbox *inbox_own = NULL;
static int own_file = -1;

/* Else the system would not only refuse the file, but send a signal that ends the process (setrlimit(2)). */
static int may_be_so_long(void) {
  struct rlimit most;
  return getrlimit(RLIMIT_FSIZE, &most) == 0 &&
         (most.rlim_cur == RLIM_INFINITY || most.rlim_cur >= sizeof(struct inbox));
}

static struct inbox *map(int file) {
  void *memory = mmap(NULL, sizeof(struct inbox), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static int allocate(int file, size_t from, size_t bytes) {
  int status;
  do status = posix_fallocate(file, (off_t)from, (off_t)bytes);
  while (status == EINTR);
  return status == 0;
}

/* Its head is there from the beginning. */
static struct inbox *made(int file) {
  if (ftruncate(file, (off_t)sizeof(struct inbox)) != 0) return NULL;
  if (fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return NULL;
  return allocate(file, 0, offsetof(struct inbox, bytes)) ? map(file) : NULL;
}

int inbox_make(void) {
  if (!may_be_so_long()) return 0;
  own_file = memfd_create(NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (own_file < 0) return 0;
  inbox_own = made(own_file);
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

/* Of anything else even opening it might be noticed. */
static int is_inbox(int folder, const char *name) {
  char link[sizeof LINK + 1];
  const ssize_t length = readlinkat(folder, name, link, sizeof link);
  return length == (ssize_t)strlen(LINK) && memcmp(link, LINK, (size_t)length) == 0;
}

static int find(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
  DIR *folder = opendir(path);
  int file = -1;
  if (folder == NULL) return -1;
  for (const struct dirent *entry; file < 0 && (entry = readdir(folder)) != NULL;)
    if (is_inbox(dirfd(folder), entry->d_name))
      file = openat(dirfd(folder), entry->d_name, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  closedir(folder);
  return file;
}

static int has_its_size(int file) {
  struct stat facts;
  return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size == (off_t)sizeof(struct inbox);
}

struct inbox *inbox_open(pid_t process) {
  const int file = find(process);
  struct inbox *inbox = NULL;
  if (file >= 0 && may_be_so_long() && has_its_size(file) && allocate(file, 0, sizeof(struct inbox))) inbox = map(file);
  if (file >= 0) close(file);
  return inbox;
}

void inbox_close(struct inbox *inbox) { munmap(inbox, sizeof *inbox); }

static int chunks_of(size_t bytes) { return (int)((bytes + INBOX_CHUNK_BYTES - 1) / INBOX_CHUNK_BYTES); }

static uint64_t bits(int chunk, int count) {
  return (count == INBOX_CHUNKS ? UINT64_MAX : (UINT64_C(1) << count) - 1) << chunk;
}

/* The lowest: what was used last is in a cache yet. -1: there is none. */
static int free_of(uint64_t claimed, int count) {
  for (int chunk = 0; chunk + count <= INBOX_CHUNKS; chunk++)
    if ((claimed & bits(chunk, count)) == 0) return chunk;
  return -1;
}

int inbox_claim(struct inbox *inbox, size_t bytes) {
  const int count = chunks_of(bytes);
  uint64_t claimed = atomic_load(&inbox->claimed);
  int chunk;
  if (bytes == 0 || count > INBOX_CHUNKS) return -1;
  do {
    if ((chunk = free_of(claimed, count)) < 0) return -1;
  } while (!atomic_compare_exchange_weak(&inbox->claimed, &claimed, claimed | bits(chunk, count)));
  atomic_store(&inbox->messages[chunk].packed, 0);
  atomic_store(&inbox->messages[chunk].read, 0);
  return chunk;
}

void inbox_release(struct inbox *inbox, int chunk, size_t bytes) {
  atomic_fetch_and(&inbox->claimed, ~bits(chunk, chunks_of(bytes)));
}
