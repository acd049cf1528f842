#define _GNU_SOURCE 1
#include "nameless-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Else the system would not only refuse the file, but send a signal that ends the process (setrlimit(2)). */
static int may_be_so_long(size_t bytes) {
  struct rlimit most;
  return getrlimit(RLIMIT_FSIZE, &most) == 0 && (most.rlim_cur == RLIM_INFINITY || most.rlim_cur >= bytes);
}

static int is_sized(int file, size_t bytes) {
  return ftruncate(file, (off_t)bytes) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

int nameless_make(const char *name, size_t bytes) {
  const int file = may_be_so_long(bytes) ? memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING) : -1;
  if (file < 0 || is_sized(file, bytes)) return file;
  close(file);
  return -1;
}

int nameless_allocate(int file, size_t from, size_t bytes) {
  int status;
  do status = posix_fallocate(file, (off_t)from, (off_t)bytes);
  while (status == EINTR);
  return status == 0;
}

void *nameless_map(int file, size_t bytes, int protection) {
  void *memory = mmap(NULL, bytes, protection, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Of anything else even opening it might be noticed. */
static int is_called(int folder, const char *entry, const char *name) {
  char link[64], wanted[64];
  const int length = snprintf(wanted, sizeof wanted, "/memfd:%s (deleted)", name);
  return readlinkat(folder, entry, link, sizeof link) == length && memcmp(link, wanted, (size_t)length) == 0;
}

/* As its owner made it. */
static int opened(int folder, const char *entry, int flags, size_t *bytes) {
  struct stat facts;
  const int file = openat(folder, entry, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return -1;
  if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && may_be_so_long((size_t)facts.st_size))
    return *bytes = (size_t)facts.st_size, file;
  close(file);
  return -1;
}

static DIR *files_of(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
  return opendir(path);
}

int nameless_open(pid_t process, const char *name, int flags, size_t *bytes) {
  DIR *folder = files_of(process);
  int file = -1;
  if (folder == NULL) return -1;
  for (const struct dirent *entry; file < 0 && (entry = readdir(folder)) != NULL;)
    if (is_called(dirfd(folder), entry->d_name, name)) file = opened(dirfd(folder), entry->d_name, flags, bytes);
  closedir(folder);
  return file;
}

int nameless_open_number(pid_t process, int number, const char *name, int flags, size_t *bytes) {
  char entry[16];
  DIR *folder = files_of(process);
  if (folder == NULL) return -1;
  snprintf(entry, sizeof entry, "%d", number);
  const int file = is_called(dirfd(folder), entry, name) ? opened(dirfd(folder), entry, flags, bytes) : -1;
  closedir(folder);
  return file;
}
