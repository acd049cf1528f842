#define _GNU_SOURCE 1
#include "trusted-folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As path_resolution(7). */
enum { MOST_LINKS = 40 };

/* As whom stat(2) shows users who have no number in this user namespace, user_namespaces(7). */
static uid_t overflow_user(void) {
  unsigned user = 65534;
  FILE *file = fopen("/proc/sys/kernel/overflowuid", "re");
  if (file == NULL) return user;
  if (fscanf(file, "%u", &user) != 1) user = 65534;
  fclose(file);
  return user;
}

struct users {
  int is_whole, has_root; /* whether all have a number inside, and whether the host's root has */
};

/* Which users have a number inside. A kernel without user namespaces gives all of them one. */
static struct users users_inside(void) {
  unsigned inside, outside, count;
  unsigned long all = 0;
  struct users users = {1, 1};
  FILE *file = fopen("/proc/self/uid_map", "re");
  if (file == NULL) return users;
  users.has_root = 0;
  for (; fscanf(file, "%u %u %u", &inside, &outside, &count) == 3; all += count) users.has_root |= outside == 0;
  fclose(file);
  users.is_whole = all >= 0xffffffffUL;
  return users;
}

/* Spaces and their like are octal in proc_pid_mountinfo(5). */
static void unescape(char *word) {
  char *to = word;
  for (; *word != '\0'; word++) {
    if (word[0] == '\\' && strspn(word + 1, "01234567") >= 3) {
      *to++ = (char)((word[1] - '0') << 6 | (word[2] - '0') << 3 | (word[3] - '0'));
      word += 3;
    } else *to++ = *word;
  }
  *to = '\0';
}

/* Not FUSE's: every user may mount those. */
static int is_mount(const char *path) {
  char *line = NULL;
  size_t room = 0;
  int found = 0;
  FILE *file = fopen("/proc/self/mountinfo", "re");
  while (file != NULL && !found && getline(&line, &room, file) > 0) {
    char place[PATH_MAX];
    if (sscanf(line, "%*s %*s %*s %*s %4095s", place) != 1) continue;
    unescape(place);
    found = strcmp(place, path) == 0 && strstr(line, " - fuse") == NULL;
  }
  free(line);
  if (file != NULL) fclose(file);
  return found;
}

/* src/cache/file-owners.ts says of whom the overflow user's number stands, and why it counts as root's there alone. */
static int is_own_or_roots(uid_t user, const char *path) {
  const struct users users = users_inside();
  if (!users.is_whole && user == overflow_user())
    return !users.has_root && (strchr(path + 1, '/') == NULL || is_mount(path));
  return user == geteuid() || user == 0;
}

static int is_trusted_one(const char *path, const struct stat *facts) {
  if (!is_own_or_roots(facts->st_uid, path)) return 0;
  if (S_ISLNK(facts->st_mode)) return 1;
  return S_ISDIR(facts->st_mode) && ((facts->st_mode & 022) == 0 || (facts->st_mode & S_ISVTX) != 0);
}

static void up(char *at) {
  char *slash = strrchr(at, '/');
  slash[slash == at] = '\0';
}

/* Takes the first name off `rest` and goes there. 0: the path is too long. */
static int step(char *at, char *rest) {
  char *name = rest + strspn(rest, "/");
  const size_t letters = strcspn(name, "/"), length = strlen(at);
  int fits = 1;
  if (letters == 2 && strncmp(name, "..", 2) == 0) up(at);
  else if (!(letters == 1 && *name == '.')) {
    fits = length + 1 + letters < PATH_MAX;
    if (fits) snprintf(at + length, PATH_MAX - length, "%s%.*s", length > 1 ? "/" : "", (int)letters, name);
  }
  memmove(rest, name + letters, strlen(name + letters) + 1);
  return fits;
}

/* Puts what a link says before the names that are left, and stands where it begins. */
static int follow(char *at, char *rest) {
  char target[PATH_MAX], joined[PATH_MAX];
  const ssize_t letters = readlink(at, target, sizeof target - 1);
  if (letters < 0) return 0;
  target[letters] = '\0';
  if (snprintf(joined, sizeof joined, "%s/%s", target, rest) >= PATH_MAX) return 0;
  strcpy(rest, joined);
  if (*target == '/') strcpy(at, "/");
  else up(at);
  return 1;
}

static int begin(const char *path, char *at, char *rest) {
  char here[PATH_MAX] = "";
  if (*path != '/' && getcwd(here, sizeof here) == NULL) return 0;
  strcpy(at, "/");
  return snprintf(rest, PATH_MAX, "%s/%s", here, path) < PATH_MAX;
}

int is_trusted_folder(const char *path, char at[PATH_MAX]) {
  char rest[PATH_MAX];
  struct stat facts;
  if (!begin(path, at, rest)) return 0;
  for (int links = 0;;) {
    if (lstat(at, &facts) != 0) return errno == ENOENT;
    if (!is_trusted_one(at, &facts)) return 0;
    if (S_ISLNK(facts.st_mode)) {
      if (++links > MOST_LINKS || !follow(at, rest)) return 0;
      continue;
    }
    if (rest[strspn(rest, "/")] == '\0') return (facts.st_mode & 022) == 0;
    if (!step(at, rest)) return 0;
  }
}
