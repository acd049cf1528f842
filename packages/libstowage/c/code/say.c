#define _GNU_SOURCE 1
#include "say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_LINE = 512 };

static int is_verbose(void) {
  const char *asked = secure_getenv("STOWAGE_VERBOSE");
  return asked != NULL && *asked != '\0' && strcmp(asked, "0") != 0;
}

/* In one write. */
static void say_all(const char *format, va_list arguments) {
  const int before = errno;
  char line[LONGEST_LINE] = "stowage: ";
  const size_t prefix = strlen(line);
  if (vsnprintf(line + prefix, sizeof line - prefix - 1, format, arguments) >= 0) {
    const size_t length = strlen(line);
    line[length] = '\n';
    if (write(STDERR_FILENO, line, length + 1) < 0) errno = before;
  }
  errno = before;
}

void say(const char *format, ...) {
  if (!is_verbose()) return;
  va_list arguments;
  va_start(arguments, format);
  say_all(format, arguments);
  va_end(arguments);
}

__attribute__((format(printf, 1, 2))) static void say_always(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say_all(format, arguments);
  va_end(arguments);
}

void end_without_memory(const char *what) {
  say_always("no memory for %s: the process ends", what);
  abort();
}
