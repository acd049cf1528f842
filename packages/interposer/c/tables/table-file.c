#define _GNU_SOURCE 1
#include "table-file.h"

#include "mpi-name.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int table_number(const char *word, size_t *value) {
  char *end;
  if (word == NULL || *word < '0' || *word > '9') return 0;
  errno = 0;
  *value = strtoull(word, &end, 10);
  return errno == 0 && *end == '\0';
}

static void split(char *line, char *words[TABLE_WORDS]) {
  char *rest = line;
  for (int i = 0; i < TABLE_WORDS; i++) do
      words[i] = strsep(&rest, " \t\n");
    while (words[i] != NULL && *words[i] == '\0');
}

/* The number of the first line that is wrong; 0: none is. */
static size_t parse(FILE *file, const struct table_file *of, void *table) {
  char line[256], *words[TABLE_WORDS];
  size_t at = 1;
  if (fgets(line, sizeof line, file) == NULL || strcmp(line, of->head) != 0) return at;
  while (fgets(line, sizeof line, file) != NULL) {
    at++;
    if (strchr(line, '\n') == NULL) return at;
    split(line, words);
    if (words[0] != NULL && *words[0] != '#' && !of->take(table, words)) return at;
  }
  return ferror(file) ? at : 0;
}

static void tell(const char *path, const char *expected, const char *got) {
  char text[512];
  const int letters = snprintf(text, sizeof text, "stowage: %.300s: expected %s, got %s: the defaults are taken\n",
                               path, expected, got);
  if (letters > 0 && write(STDERR_FILENO, text, (size_t)letters) < 0) return;
}

static void tell_number(const char *path, const char *got, size_t number) {
  char text[64];
  snprintf(text, sizeof text, "%s %zu", got, number);
  tell(path, "a table of routes", text);
}

/* Only this user or root can have written it; a pipe is not waited for. */
static int is_own(int file, const char *path) {
  struct stat facts;
  char got[64];
  if (fstat(file, &facts) != 0) return 0;
  const int is_trusted = facts.st_uid == geteuid() || facts.st_uid == 0;
  if (S_ISREG(facts.st_mode) && is_trusted && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0) return 1;
  snprintf(got, sizeof got, "one of user %u, mode %o", (unsigned)facts.st_uid, (unsigned)facts.st_mode);
  tell(path, "a file of this user or root that no others write", got);
  return 0;
}

static FILE *open_own(const char *path, int is_named) {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 && is_named) tell_number(path, "error", (size_t)errno);
  if (file < 0 || is_own(file, path)) return file < 0 ? NULL : fdopen(file, "r");
  close(file);
  return NULL;
}

/* One that was named, or that lies beside the code: STOWAGE_CACHE's folders. */
static FILE *open_table(const struct table_file *table, char path[PATH_MAX]) {
  const char *named = table->variable == NULL ? NULL : secure_getenv(table->variable),
             *folder = secure_getenv("STOWAGE_CACHE");
  FILE *file = NULL;
  if (named != NULL && *named != '\0') {
    snprintf(path, PATH_MAX, "%s", named);
    return open_own(path, 1);
  }
  while (folder != NULL && *folder != '\0' && file == NULL) {
    const size_t letters = strcspn(folder, ":");
    const int length = snprintf(path, PATH_MAX, "%.*s/%s-%.*s", (int)letters, folder, table->name,
                                (int)strcspn(mpi_name(), "-"), mpi_name());
    if (letters > 0 && length < PATH_MAX) file = open_own(path, 0);
    folder += letters + (folder[letters] == ':');
  }
  return file;
}

int table_file_read(const struct table_file *of, void *table) {
  char path[PATH_MAX];
  FILE *file = open_table(of, path);
  if (file == NULL) return 0;
  const size_t wrong = parse(file, of, table);
  fclose(file);
  if (wrong != 0) tell_number(path, "another line", wrong);
  return wrong == 0;
}
