/* Times calls of compiled kernels, of plain loops and of MPI_Pack, contenders in turns: calls SAMPLES. Prints a line of
 * JSON a row. cases.h is written by calls.mjs. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void (*kernel)(const void *restrict, void *restrict, int64_t, int64_t, int64_t);
typedef void (*loop)(const void *restrict, void *restrict);
struct shape {
  const char *name;
  int64_t size, reach;
  kernel pack, unpack;
  loop pack_element, unpack_element, plain_pack, plain_unpack;
  MPI_Datatype (*type)(void);
};

#include "cases.h"

enum { CONTENDERS = 4, BATCH_NS = 20000 };
static const char *const names[CONTENDERS] = {"compiled", "c-O3", "mpi", "compiled-range"};

struct work {
  const struct shape *shape;
  MPI_Datatype type;
  unsigned char *scattered, *packed;
  int unpacks;
};

static void call(const struct work *w, int contender) {
  const struct shape *s = w->shape;
  int position = 0;
  if (contender == 0 && w->unpacks) s->unpack_element(w->packed, w->scattered);
  else if (contender == 0) s->pack_element(w->scattered, w->packed);
  else if (contender == 3 && w->unpacks) s->unpack(w->packed, w->scattered, 1, 0, s->size);
  else if (contender == 3) s->pack(w->scattered, w->packed, 1, 0, s->size);
  else if (contender == 1 && w->unpacks) s->plain_unpack(w->packed, w->scattered);
  else if (contender == 1) s->plain_pack(w->scattered, w->packed);
  else if (w->unpacks) MPI_Unpack(w->packed, (int)s->size, &position, w->scattered, 1, w->type, MPI_COMM_SELF);
  else MPI_Pack(w->scattered, 1, w->type, w->packed, (int)s->size, &position, MPI_COMM_SELF);
}

static double batch(const struct work *w, int contender, long calls) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (long i = 0; i < calls; i++) {
    call(w, contender);
    __asm__ volatile("" ::: "memory");
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / (double)calls;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Every contender gives the same bytes, or the program ends. */
static void verify(struct work *w) {
  const size_t reach = (size_t)w->shape->reach, size = (size_t)w->shape->size;
  unsigned char *expected = malloc(reach + size);
  for (int contender = 0; contender < CONTENDERS; contender++) {
    for (size_t i = 0; i < reach; i++) w->scattered[i] = (unsigned char)(w->unpacks ? 0xee : i * 131 + (i >> 8) * 17);
    for (size_t i = 0; i < size; i++) w->packed[i] = (unsigned char)(w->unpacks ? i * 7 + (i >> 8) : 0xee);
    call(w, contender);
    if (contender == 0) memcpy(expected, w->scattered, reach), memcpy(expected + reach, w->packed, size);
    if (memcmp(expected, w->scattered, reach) == 0 && memcmp(expected + reach, w->packed, size) == 0) continue;
    fprintf(stderr, "%s of %s: wrong bytes\n", names[contender], w->shape->name);
    exit(1);
  }
  free(expected);
}

static void measure(struct work *w, int samples) {
  double *times[CONTENDERS];
  long calls[CONTENDERS];
  for (int c = 0; c < CONTENDERS; c++) {
    times[c] = malloc((size_t)samples * sizeof *times[c]);
    batch(w, c, 1000);
    calls[c] = (long)(BATCH_NS / batch(w, c, 1000)) + 1;
  }
  for (int i = 0; i < samples; i++)
    for (int c = 0; c < CONTENDERS; c++) times[c][i] = batch(w, (c + i) % CONTENDERS, calls[(c + i) % CONTENDERS]);
  double *own = malloc((size_t)samples * sizeof *own);
  for (int c = 0; c < CONTENDERS; c++) {
    /* In sample i, contender c was timed in turn (c - i) modulo the contenders. */
    for (int i = 0; i < samples; i++) own[i] = times[((c - i) % CONTENDERS + CONTENDERS) % CONTENDERS][i];
    qsort(own, (size_t)samples, sizeof *own, by_value);
    printf("{\"workload\":\"%s\",\"count\":1,\"packedBytes\":%ld,\"direction\":\"%s\",\"route\":\"host\",\"contender\":"
           "\"%s\","
           "\"mode\":\"call\",\"medianNs\":%.3f,\"minNs\":%.3f,\"maxNs\":%.3f,\"runs\":%d,\"verified\":true,"
           "\"commitNs\":0}\n",
           w->shape->name, (long)w->shape->size, w->unpacks ? "unpack" : "pack", names[c], own[samples / 2], own[0],
           own[samples - 1], samples);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int samples = argc > 1 ? atoi(argv[1]) : 101;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    for (int unpacks = 0; unpacks < 2; unpacks++) {
      struct work w = {&shapes[i], shapes[i].type(), NULL, NULL, unpacks};
      MPI_Type_commit(&w.type);
      w.scattered = aligned_alloc(64, (size_t)(shapes[i].reach + 127) / 64 * 64);
      w.packed = aligned_alloc(64, (size_t)(shapes[i].size + 127) / 64 * 64);
      verify(&w);
      measure(&w, samples);
      free(w.scattered), free(w.packed);
    }
  }
  MPI_Finalize();
  return 0;
}
