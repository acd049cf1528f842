/* Preloaded: a file of the cache opens, and reading it finds its handle stale, as on NFS where another node has
 * replaced it. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int stale = -1;

int open(const char *path, int flags, ...) {
  const int file = openat(AT_FDCWD, path, flags, 0600);
  const size_t length = strlen(path), ending = strlen(".stowage");
  if (length > ending && strcmp(path + length - ending, ".stowage") == 0) stale = file;
  return file;
}

ssize_t read(int file, void *bytes, size_t length) {
  if (file >= 0 && file == stale) {
    errno = ESTALE;
    return -1;
  }
  ssize_t (*next)(int, void *, size_t) = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
  return next(file, bytes, length);
}

int close(int file) {
  if (file == stale) stale = -1;
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");
  return next(file);
}
