#define _GNU_SOURCE 1
#include <mpi.h>

#include "job-name.h"

#include "next.h"
#include "predefined.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* By PMIx, a folder of which each launcher makes one. */
static int by_folder(char *name, size_t room) {
  const char *folder = secure_getenv("PMIX_SERVER_TMPDIR"), *job = secure_getenv("PMIX_NAMESPACE");
  struct statx facts;
  if (folder == NULL || job == NULL || strchr(job, '/') != NULL) return 0;
  if (statx(AT_FDCWD, folder, 0, STATX_INO | STATX_BTIME, &facts) != 0) return 0;
  return snprintf(name, room, "%u-%s-%llu-%lld.%u", (unsigned)geteuid(), job, (unsigned long long)facts.stx_ino,
                  (long long)facts.stx_btime.tv_sec, facts.stx_btime.tv_nsec);
}

/* The process at the other end of the socket that a launcher of PMI-1 gives each rank: one process has all of a job's
 * on this host. 0: there is none. */
static pid_t launcher(void) {
  const char *text = secure_getenv("PMI_FD");
  struct ucred who = {0};
  socklen_t room = sizeof who;
  if (text == NULL || getsockopt(atoi(text), SOL_SOCKET, SO_PEERCRED, &who, &room) != 0) return 0;
  return who.pid;
}

/* When a process began, in the system's clock ticks (proc(5)): it tells it from others of its number. 0: not known. */
static unsigned long long start_of(pid_t process) {
  char path[64], text[512], *at;
  unsigned long long start = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  /* Its name, which may be anything, is field 2, and this is field 22. */
  if ((at = strrchr(text, ')')) == NULL) return 0;
  for (int field = 2; field < 22 && at != NULL; field++) at = strchr(at + 1, ' ');
  return at != NULL && sscanf(at, "%llu", &start) == 1 ? start : 0;
}

/* In a world of its own, whose ranks begin at 0 again. */
static int is_spawned(void) {
  MPI_Comm parent;
  return NEXT(PMPI_Comm_get_parent)(&parent) != MPI_SUCCESS || parent != PREDEFINED_NULL;
}

/* From 5.0 on MPICH's launcher has one process a host for all worlds. */
static int by_launcher(char *name, size_t room) {
  const pid_t process = is_spawned() ? 0 : launcher();
  const unsigned long long start = process > 0 ? start_of(process) : 0;
  return start == 0 ? 0 : snprintf(name, room, "%u-pmi-%d-%llu", (unsigned)geteuid(), (int)process, start);
}

int job_name(char *name, size_t room) {
  int length = by_folder(name, room);
  if (length <= 0) length = by_launcher(name, room);
  return length > 0 && (size_t)length < room;
}
