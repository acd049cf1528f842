/* A rank without an MPI: commits and uses described types as lines on standard input say, and answers each with a line.
 *   open | close | record RANK
 *   entry HEX         commits the description's type; its number
 *   kernel N          1 where the type has code now
 *   await N MS        the same, asked again every millisecond for so long, as messages would ask
 *   pack N HEX        the first element of these bytes, packed
 *   message N BYTES   records one that was packed natively in 1 us and sent in 2 us
 *   steal FILE        closes every descriptor from 200 on, as a program may, and opens a file under 200
 *   times N HEX       nanoseconds, medians: of an entry in memory, and of one that no memory holds yet (described by
 * HEX) */
#include "record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ENTRIES = 1024, LONGEST_LINE = 1 << 24, MOST_PACKED = 1 << 16 };

static struct stowage_code *entries[MOST_ENTRIES];
static size_t made;
static unsigned char packed[MOST_PACKED];

static unsigned char *bytes_of(const char *hex, size_t *length) {
  *length = strlen(hex) / 2;
  unsigned char *bytes = malloc(*length + 1);
  for (size_t i = 0; i < *length; i++) sscanf(hex + 2 * i, "%2hhx", &bytes[i]);
  return bytes;
}

static size_t commit(const char *hex) {
  size_t length;
  unsigned char *bytes = bytes_of(hex, &length);
  entries[made % MOST_ENTRIES] = store_entry(bytes, length);
  record_commit(entries[made % MOST_ENTRIES]);
  free(bytes);
  return made++ % MOST_ENTRIES;
}

static const stowage_kernel *kernel_of(size_t n) { return entries[n] == NULL ? NULL : code_kernel(entries[n]); }

static int await(size_t n, long limit_ms) {
  for (long i = 0; i < limit_ms && kernel_of(n) == NULL; i++) usleep(1000);
  return kernel_of(n) != NULL;
}

static void pack(size_t n, const char *hex) {
  size_t length;
  unsigned char *source = bytes_of(hex, &length);
  const int64_t size = stowage_move_at(kernel_of(n), STORE_PACK)->size;
  stowage_run(kernel_of(n), STORE_PACK, source, packed, 1, 0, size);
  for (int64_t i = 0; i < size; i++) printf("%02x", packed[i]);
  free(source);
}

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double commit_ns(const void *description, size_t length) {
  const double before = now_ns();
  struct stowage_code *entry = store_entry(description, length);
  const double after = now_ns();
  if (entry == NULL) exit(3);
  return after - before;
}

static void times(size_t n, const char *hex) {
  double in_memory[101];
  size_t length;
  const void *description = code_description(entries[n], &length);
  for (size_t i = 0; i < 101; i++) in_memory[i] = commit_ns(description, length);
  qsort(in_memory, 101, sizeof *in_memory, by_size);
  unsigned char *other = bytes_of(hex, &length);
  printf("%.0f %.0f", in_memory[50], commit_ns(other, length));
  free(other);
}

static void steal(const char *path) {
  for (int file = 200; file < 300; file++) close(file);
  dup2(open(path, O_RDWR | O_CREAT, 0600), 200);
}

int main(void) {
  static char line[LONGEST_LINE], rest[LONGEST_LINE];
  size_t n;
  long number;
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (strcmp(line, "open\n") == 0) store_open();
    else if (strcmp(line, "close\n") == 0) store_close();
    else if (sscanf(line, "record %ld", &number) == 1) record_write((int)number, "");
    else if (sscanf(line, "entry %s", rest) == 1) printf("%zu", commit(rest));
    else if (sscanf(line, "kernel %zu", &n) == 1) printf("%d", kernel_of(n) != NULL);
    else if (sscanf(line, "await %zu %ld", &n, &number) == 2) printf("%d", await(n, number));
    else if (sscanf(line, "pack %zu %s", &n, rest) == 2) pack(n, rest);
    else if (sscanf(line, "steal %s", rest) == 1) steal(rest);
    else if (sscanf(line, "times %zu %s", &n, rest) == 2) times(n, rest);
    else if (sscanf(line, "message %zu %ld", &n, &number) == 2)
      record_message(entries[n], STOWAGE_PACK, number, 1000, 2000, 0);
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
