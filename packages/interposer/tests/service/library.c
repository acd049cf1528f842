/* A C program over libstowage beside a compile service: loops at once, code when it comes, the same bytes by both.
 * Prints whether the first pack went by loops and the last by code, whether equal types are one, and the nanoseconds of
 * a first commit, of one whose code is in memory, and of a call by loops and by code of a type of one byte's run. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <stowage_types.h>

enum { ROWS = 9, COLUMNS = 7, COUNT = 3, TRIALS = 101 };

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static stowage_type *committed(stowage_context *context, int rows) {
  stowage_builder *builder = stowage_builder_new(STOWAGE_STANDARD);
  stowage_type *type;
  const stowage_node column = stowage_vector(builder, rows, 2, COLUMNS, stowage_named(builder, "MPI_INT"));
  if (stowage_commit(context, builder, column, &type) != STOWAGE_OK) puts(stowage_builder_error(builder));
  stowage_builder_free(builder);
  return type;
}

static int by_size(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* The median of commits of types that are new, or of one that is not. */
static int64_t commit_ns(stowage_context *context, int first_rows, int step) {
  int64_t ns[TRIALS];
  stowage_type *types[TRIALS];
  for (int i = 0; i < TRIALS; i++) {
    const int64_t start = now_ns();
    types[i] = committed(context, first_rows + i * step);
    ns[i] = now_ns() - start;
  }
  for (int i = 0; i < TRIALS; i++) stowage_type_free(types[i]);
  qsort(ns, TRIALS, sizeof *ns, by_size);
  return ns[TRIALS / 2];
}

int main(void) {
  static int matrix[COUNT * ROWS * COLUMNS], other[COUNT * ROWS * COLUMNS];
  unsigned char loops[COUNT * ROWS * 8], code[COUNT * ROWS * 8], part[COUNT * ROWS * 8];
  for (int i = 0; i < COUNT * ROWS * COLUMNS; i++) matrix[i] = i * 7919;
  stowage_context *context = stowage_open(NULL);
  stowage_type *alone = committed(NULL, ROWS), *type = committed(context, ROWS), *again = committed(context, ROWS);
  stowage_pack(matrix, COUNT, alone, loops, sizeof loops);
  const int had = stowage_has_code(type);
  int wrong = stowage_pack(matrix, COUNT, type, code, sizeof code) != STOWAGE_OK;
  wrong += memcmp(loops, code, sizeof code) != 0;
  const enum stowage_status waited = stowage_wait_code(type, (int64_t)60 * 1000000000);
  wrong += stowage_wait_code(alone, 1) != STOWAGE_NO_CODE;
  memset(code, 0, sizeof code);
  stowage_pack(matrix, COUNT, type, code, sizeof code);
  wrong += memcmp(loops, code, sizeof code) != 0;
  stowage_pack_range(matrix, COUNT, type, 13, part, 101);
  wrong += memcmp(loops + 13, part, 101) != 0;
  stowage_unpack(code, sizeof code, type, other, COUNT);
  stowage_pack(other, COUNT, alone, part, sizeof part);
  wrong += memcmp(loops, part, sizeof part) != 0;
  wrong += type != again;
  printf("%d %d %d\n", had, waited == STOWAGE_OK && stowage_has_code(type), wrong);
  fprintf(stderr, "commit: %lld ns the first time, %lld ns again\n", (long long)commit_ns(context, ROWS + 1, 1),
          (long long)commit_ns(context, ROWS, 0));
  stowage_close(context);
  stowage_type_free(type);
  stowage_type_free(again);
  stowage_type_free(alone);
  return wrong != 0;
}
