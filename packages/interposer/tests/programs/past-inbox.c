/* The memory that others pack into (host/inbox.h), between processes that are no ranks. past-inbox make: makes it,
 * prints its process, and waits until its input ends. past-inbox open PROCESS: prints whether it could be opened. */
#include "inbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int make(void) {
  if (!inbox_make()) return 2;
  printf("%d\n", (int)getpid());
  fflush(stdout);
  while (getchar() != EOF) continue;
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "make") == 0) return make();
  struct inbox_use use;
  if (argc != 3) return 1;
  printf("%s\n", inbox_open((pid_t)atoi(argv[2]), &use) != NULL ? "opened" : "refused");
  return 0;
}
