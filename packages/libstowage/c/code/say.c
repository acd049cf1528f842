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

void say(const char *format, ...) {
  if (!is_verbose()) return;
  const int before = errno;
  char line[LONGEST_LINE] = "stowage: ";
  const size_t prefix = strlen(line);
  va_list arguments;
  va_start(arguments, format);
  const int letters = vsnprintf(line + prefix, sizeof line - prefix - 1, format, arguments);
  va_end(arguments);
  if (letters >= 0) {
    const size_t length = strlen(line);
    line[length] = '\n';
    if (write(STDERR_FILENO, line, length + 1) < 0) errno = before;
  }
  errno = before;
}
