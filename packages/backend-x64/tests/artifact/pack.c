/* Packs with stored artifacts of backend x64, without Node: for each line "PATH COUNT SIZE BUFFER ORIGIN" on standard
 * input, loads the artifact, packs COUNT elements of SIZE bytes out of a buffer of BUFFER bytes whose datatype address
 * 0 lies at ORIGIN, and writes the packed bytes to standard output. The buffer's byte i is the golden files'. With an
 * argument THREADS, so many threads pack a part of each stream at once: a move keeps nothing between calls, and touches
 * no byte outside its range. */
#define _GNU_SOURCE
#include "stowage.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(enum stowage_status status, const char *path) {
  fprintf(stderr, "%s: %s\n", path, stowage_text(status));
  exit(1);
}

/* What one thread packs. */
struct part {
  const stowage_kernel *kernel;
  const unsigned char *source;
  unsigned char *target;
  int64_t count, length;
  unsigned part, parts;
  pthread_barrier_t *start;
};

static void *pack_part(void *argument) {
  const struct part *p = argument;
  pthread_barrier_wait(p->start);
  const enum stowage_status status =
      stowage_run_part(p->kernel, 0, p->source, p->target, p->count, 0, p->length, p->part, p->parts);
  if (status != STOWAGE_OK) fail(status, "pack");
  return NULL;
}

static void pack(struct part whole) {
  pthread_t started[64];
  struct part parts[64];
  pthread_barrier_t start;
  pthread_barrier_init(&start, NULL, whole.parts);
  for (unsigned i = 0; i < whole.parts; i++) {
    parts[i] = whole;
    parts[i].start = &start;
    parts[i].part = i;
    if (i > 0 && pthread_create(&started[i], NULL, pack_part, &parts[i]) != 0) fail(STOWAGE_NO_MEMORY, "thread");
  }
  pack_part(&parts[0]);
  for (unsigned i = 1; i < whole.parts; i++) pthread_join(started[i], NULL);
  pthread_barrier_destroy(&start);
}

int main(int argc, char **argv) {
  const long threads = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
  if (threads < 1 || threads > 64) return 2;
  char path[4096];
  long count, size, buffer_bytes, origin;
  while (scanf("%4095s %ld %ld %ld %ld", path, &count, &size, &buffer_bytes, &origin) == 5) {
    unsigned char *buffer = malloc((size_t)buffer_bytes + 1), *packed = malloc((size_t)(count * size) + 1);
    for (long i = 0; i < buffer_bytes; i++) buffer[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7);
    stowage_kernel *kernel;
    const enum stowage_status status = stowage_load_file(path, &kernel);
    if (status != STOWAGE_OK) fail(status, path);
    if (stowage_move_at(kernel, 0)->size != size || stowage_move_at(kernel, 1) != NULL) fail(STOWAGE_RANGE, path);
    pack((struct part){kernel, buffer + origin, packed, count, count * size, 0, (unsigned)threads, NULL});
    fwrite(packed, 1, (size_t)(count * size), stdout);
    stowage_unload(kernel);
    free(buffer);
    free(packed);
  }
  return 0;
}
