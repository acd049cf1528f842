/* Packs with stored artifacts of backend x64, without Node: for each line "PATH COUNT SIZE BUFFER ORIGIN" on standard
 * input, loads the artifact, packs COUNT elements of SIZE bytes out of a buffer of BUFFER bytes whose datatype address
 * 0 lies at ORIGIN, and writes the packed bytes to standard output. The buffer's byte i is the golden files'. With an
 * argument THREADS, so many threads pack a part of each stream at once: a move keeps nothing between calls, and touches
 * no byte outside its range. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef void (*move_function)(const void *source, void *target, int64_t count, int64_t first, int64_t length);

static void fail(const char *what, const char *path) {
  fprintf(stderr, "%s: expected %s\n", path, what);
  exit(1);
}

/* The whole file, with a zero after it. */
static unsigned char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail("a file", path);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*length + 1);
  if (bytes == NULL || fread(bytes, 1, *length, file) != *length) fail("to be read", path);
  bytes[*length] = 0;
  fclose(file);
  return bytes;
}

static uint32_t u32(const unsigned char *at) {
  uint32_t value;
  memcpy(&value, at, 4);
  return value;
}

/* The number after `name` in the header's JSON, from `from` on. */
static long number_after(const char *from, const char *name, const char *path) {
  const char *found = strstr(from, name);
  if (found == NULL) fail(name, path);
  return strtol(found + strlen(name), NULL, 10);
}

/* Section `index`: its place and length in bytes. */
static const unsigned char *section(const unsigned char *file, const char *json, long index, long *length, const char *path) {
  const size_t start = (32 + u32(file + 12) + 63) / 64 * 64;
  const char *entry = strstr(json, "\"sections\":[");
  for (long i = 0; entry != NULL && i <= index; i++) entry = strstr(entry + 1, "\"type\":");
  if (entry == NULL) fail("its sections", path);
  *length = number_after(entry, "\"length\":", path);
  return file + start + number_after(entry, "\"offset\":", path);
}

struct loaded {
  void *code;
  size_t mapped;
  move_function move;
};

static struct loaded load(const char *path) {
  size_t length;
  unsigned char *file = read_file(path, &length);
  if (length < 64 || memcmp(file, "STOWAGE\x1a", 8) != 0) fail("an artifact", path);
  char *json = strndup((const char *)file + 32, u32(file + 12));
  if (strstr(json, "\"backend\":\"x64\"") == NULL) fail("an artifact of backend x64", path);
  long code_length, entries_length;
  const unsigned char *code = section(file, json, number_after(json, "\"code\":{\"$table\":", path), &code_length, path);
  const unsigned char *entries = section(file, json, number_after(json, "\"entries\":{\"$table\":", path), &entries_length, path);
  struct loaded loaded = {.mapped = (size_t)code_length};
  loaded.code = mmap(NULL, loaded.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (loaded.code == MAP_FAILED) fail("memory", path);
  memcpy(loaded.code, code, loaded.mapped);
  if (mprotect(loaded.code, loaded.mapped, PROT_READ | PROT_EXEC) != 0) fail("executable memory", path);
  loaded.move = (move_function)((char *)loaded.code + u32(entries));
  free(json);
  free(file);
  return loaded;
}

/* What one thread packs: bytes [first, first + length) of the stream, of all that `target` begins with. */
struct part {
  move_function move;
  const unsigned char *source;
  unsigned char *target;
  int64_t count, first, length;
  pthread_barrier_t *start;
};

static void *pack_part(void *argument) {
  const struct part *part = argument;
  pthread_barrier_wait(part->start);
  part->move(part->source, part->target, part->count, part->first, part->length);
  return NULL;
}

/* As many parts as threads, cut at multiples of 64 bytes so that no two write to one cache line. */
static void pack(struct part whole, long threads) {
  pthread_t started[64];
  struct part parts[64];
  pthread_barrier_t start;
  pthread_barrier_init(&start, NULL, (unsigned)threads);
  for (long i = 0; i < threads; i++) {
    const int64_t first = whole.length * i / threads / 64 * 64;
    const int64_t end = i + 1 == threads ? whole.length : whole.length * (i + 1) / threads / 64 * 64;
    parts[i] = whole;
    parts[i].start = &start;
    parts[i].first = first;
    parts[i].length = end - first;
    if (i > 0 && pthread_create(&started[i], NULL, pack_part, &parts[i]) != 0) fail("threads", "pack");
  }
  pack_part(&parts[0]);
  for (long i = 1; i < threads; i++) pthread_join(started[i], NULL);
  pthread_barrier_destroy(&start);
}

int main(int argc, char **argv) {
  const long threads = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
  if (threads < 1 || threads > 64) fail("1 to 64 threads", "pack");
  char path[4096];
  long count, size, buffer_bytes, origin;
  while (scanf("%4095s %ld %ld %ld %ld", path, &count, &size, &buffer_bytes, &origin) == 5) {
    unsigned char *buffer = malloc((size_t)buffer_bytes + 1), *packed = malloc((size_t)(count * size) + 1);
    for (long i = 0; i < buffer_bytes; i++) buffer[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7);
    struct loaded loaded = load(path);
    pack((struct part){loaded.move, buffer + origin, packed, count, 0, count * size, NULL}, threads);
    fwrite(packed, 1, (size_t)(count * size), stdout);
    munmap(loaded.code, loaded.mapped);
    free(buffer);
    free(packed);
  }
  return 0;
}
