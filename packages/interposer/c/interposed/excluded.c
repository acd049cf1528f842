#define _GNU_SOURCE 1
#include "excluded.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_PATTERN = 256, LONGEST_PATH = 4096 };

static int matches(const char *list, const char *name) {
  char pattern[LONGEST_PATTERN];
  for (const char *at = list; *at != '\0'; at += *at == ':') {
    const size_t letters = strcspn(at, ":");
    if (letters > 0 && letters < sizeof pattern) {
      memcpy(pattern, at, letters);
      pattern[letters] = '\0';
      if (fnmatch(pattern, name, 0) == 0) return 1;
    }
    at += letters;
  }
  return 0;
}

int is_excluded(void) {
  const char *list = secure_getenv("STOWAGE_EXCLUDE");
  if (list == NULL || *list == '\0') return 0;
  if (matches(list, program_invocation_short_name)) return 1;
  char path[LONGEST_PATH];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = '\0';
  const char *last = strrchr(path, '/');
  return matches(list, last == NULL ? path : last + 1);
}
