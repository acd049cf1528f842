#define _GNU_SOURCE 1
#include "route-table.h"

#include "mpi-name.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const names[ROUTE_NAMES] = {"one-shot", "device", "pipelined"};
static struct route_table routes = {
    .ipc = 1024, .launch = 1 << 18, .count = 2, .rules = {{0, 0, ROUTE_ONE_SHOT}, {8 << 20, 0, ROUTE_PIPELINED}}};
static pthread_once_t reading = PTHREAD_ONCE_INIT;

/* Digits alone. */
static int number(const char *word, size_t *value) {
  char *end;
  if (word == NULL || *word < '0' || *word > '9') return 0;
  errno = 0;
  *value = strtoull(word, &end, 10);
  return errno == 0 && *end == '\0';
}

static int route_named(const char *word, enum route_name *route) {
  for (int i = 0; word != NULL && i < ROUTE_NAMES; i++)
    if (strcmp(word, names[i]) == 0) return *route = (enum route_name)i, 1;
  return 0;
}

enum { MOST_WORDS = 5 };

/* `route BYTES BLOCK-BYTES NAME`, `ipc BYTES`, `launch BYTES`. */
static int take(struct route_table *table, char *const words[MOST_WORDS]) {
  if (strcmp(words[0], "ipc") == 0) return number(words[1], &table->ipc) && words[2] == NULL;
  if (strcmp(words[0], "launch") == 0) return number(words[1], &table->launch) && table->launch > 0 && words[2] == NULL;
  struct route_rule *rule = &table->rules[table->count];
  if (strcmp(words[0], "route") != 0 || table->count == MOST_RULES) return 0;
  table->count++;
  return number(words[1], &rule->bytes) && number(words[2], &rule->block_bytes) &&
         route_named(words[3], &rule->route) && words[4] == NULL;
}

static void split(char *line, char *words[MOST_WORDS]) {
  char *rest = line;
  for (int i = 0; i < MOST_WORDS; i++) do
      words[i] = strsep(&rest, " \t\n");
    while (words[i] != NULL && *words[i] == '\0');
}

/* The number of the first line that is wrong; 0: none is. */
static size_t parse(FILE *file, struct route_table *table) {
  char line[256], *words[MOST_WORDS];
  size_t at = 1;
  if (fgets(line, sizeof line, file) == NULL || strcmp(line, "stowage-device-routes 2\n") != 0) return at;
  while (fgets(line, sizeof line, file) != NULL) {
    at++;
    if (strchr(line, '\n') == NULL) return at;
    split(line, words);
    if (words[0] != NULL && *words[0] != '#' && !take(table, words)) return at;
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
static FILE *open_table(char path[PATH_MAX]) {
  const char *named = secure_getenv("STOWAGE_DEVICE_ROUTES"), *folder = secure_getenv("STOWAGE_CACHE");
  FILE *file = NULL;
  if (named != NULL && *named != '\0') {
    snprintf(path, PATH_MAX, "%s", named);
    return open_own(path, 1);
  }
  while (folder != NULL && *folder != '\0' && file == NULL) {
    const size_t letters = strcspn(folder, ":");
    const int length = snprintf(path, PATH_MAX, "%.*s/device-routes-%.*s", (int)letters, folder,
                                (int)strcspn(mpi_name(), "-"), mpi_name());
    if (letters > 0 && length < PATH_MAX) file = open_own(path, 0);
    folder += letters + (folder[letters] == ':');
  }
  return file;
}

/* Rules of a table take the place of the defaults. Pieces are Open MPI's alone there: what it takes whole it copies
 * once, what it asks for twice, but as fast; MPICH at half the speed. */
static void read_table(void) {
  char path[PATH_MAX];
  if (mpi_name()[0] != 'o') routes.count = 1;
  FILE *file = open_table(path);
  if (file == NULL) return;
  struct route_table table = {.ipc = routes.ipc, .launch = routes.launch};
  const size_t wrong = parse(file, &table);
  fclose(file);
  if (wrong != 0) tell_number(path, "another line", wrong);
  else routes = table;
}

const struct route_table *route_table(void) {
  pthread_once(&reading, read_table);
  return &routes;
}

enum route_name route_table_find(size_t bytes, size_t block_bytes, int (*may_be)(enum route_name, const void *),
                                 const void *context) {
  const struct route_table *table = route_table();
  for (size_t i = table->count; i-- > 0;) {
    const struct route_rule *rule = &table->rules[i];
    if (bytes >= rule->bytes && block_bytes >= rule->block_bytes && may_be(rule->route, context)) return rule->route;
  }
  return ROUTE_ONE_SHOT;
}

/* A launch each, and the last piece is waited for: least together where a piece is the geometric mean of the message
 * and a launch. */
size_t route_piece_bytes(size_t bytes) {
  const size_t launch = route_table()->launch;
  size_t piece = 4096;
  while (piece < bytes && piece / launch * piece < bytes && piece * piece < bytes * launch) piece *= 2;
  return piece;
}
