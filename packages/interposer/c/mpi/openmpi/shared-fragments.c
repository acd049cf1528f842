#include "lower-halves.h"
#ifdef HAS_CONVERTORS

#include "shared-fragments.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SEGMENTS = 64 };
static struct segment {
  uintptr_t from, to;
} segments[MOST_SEGMENTS];
static int count;

/* Their files' names (btl_vader_component.c, btl_sm_component.c). */
static int is_segment(const char *line) {
  return strstr(line, "/vader_segment.") != NULL || strstr(line, "/sm_segment.") != NULL;
}

/* proc(5) */
static void read_maps(void) {
  char line[4352];
  FILE *maps = fopen("/proc/self/maps", "re");
  if (maps == NULL) return;
  while (count < MOST_SEGMENTS && fgets(line, sizeof line, maps) != NULL) {
    struct segment s;
    if (is_segment(line) && sscanf(line, "%lx-%lx", &s.from, &s.to) == 2) segments[count++] = s;
  }
  fclose(maps);
}

int is_shared_fragment(const void *memory) {
  static pthread_once_t reading = PTHREAD_ONCE_INIT;
  const uintptr_t at = (uintptr_t)memory;
  pthread_once(&reading, read_maps);
  for (int i = 0; i < count; i++)
    if (at >= segments[i].from && at < segments[i].to) return 1;
  return 0;
}
#endif
