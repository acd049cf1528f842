// What programs in C that time calls of the driver share: they end at its first error, and print a line of JSON a
// figure.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call)                             \
  do {                                          \
    CUresult status = (call);                   \
    if (status != CUDA_SUCCESS) {               \
      const char *name = "?";                   \
      cuGetErrorName(status, &name);            \
      fprintf(stderr, "%s: %s\n", #call, name); \
      exit(1);                                  \
    }                                           \
  } while (0)

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void print(const char *name, size_t bytes, double *samples, int runs) {
  qsort(samples, runs, sizeof *samples, ascending);
  printf("{\"name\":\"%s\",\"bytes\":%zu,\"medianNs\":%.0f,\"minNs\":%.0f,\"maxNs\":%.0f,\"runs\":%d}\n", name, bytes,
         samples[(runs - 1) / 2], samples[0], samples[runs - 1], runs);
}

// A kernel of a PTX file, in the current context.
static CUfunction load(const char *path, const char *name) {
  static char text[1 << 20];
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  CUmodule module;
  CUfunction function;
  CHECK(cuModuleLoadDataEx(&module, text, 0, NULL, NULL));
  CHECK(cuModuleGetFunction(&function, module, name));
  return function;
}
