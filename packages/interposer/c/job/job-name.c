#define _GNU_SOURCE 1
#include "job-name.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int job_name(char *name, size_t room) {
  const char *folder = secure_getenv("PMIX_SERVER_TMPDIR"), *job = secure_getenv("PMIX_NAMESPACE");
  struct statx facts;
  if (folder == NULL || job == NULL || strchr(job, '/') != NULL) return 0;
  if (statx(AT_FDCWD, folder, 0, STATX_INO | STATX_BTIME, &facts) != 0) return 0;
  const int length =
      snprintf(name, room, "%u-%s-%llu-%lld.%u", (unsigned)geteuid(), job, (unsigned long long)facts.stx_ino,
               (long long)facts.stx_btime.tv_sec, facts.stx_btime.tv_nsec);
  return length > 0 && (size_t)length < room;
}
