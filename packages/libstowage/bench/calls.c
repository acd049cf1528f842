/* What a call and a commit cost besides moving bytes: calls ROUNDS. A line a figure: its name, packed bytes, median,
 * least and greatest nanoseconds of a pack, and the median of 64 commits of other types.
 *   call        a pack of two integers; `loop` is the loop alone that it calls
 *   alone       a list of 100 doubles, committed without a context, as if for the first time
 *   first       the same with a context that has nothing cached and no service
 *   again       one that the context has */
#define _GNU_SOURCE 1
#include "stowage_types.h"
#include "type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ROUNDS = 1001, CALLS = 2000, TYPES = 64, ENTRIES = 100 };

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static stowage_type *two_integers(void) {
  stowage_builder *builder = stowage_builder_new(STOWAGE_STANDARD);
  stowage_type *type;
  stowage_commit(NULL, builder, stowage_vector(builder, 2, 1, 2, stowage_named(builder, "MPI_INT")), &type);
  stowage_builder_free(builder);
  return type;
}

/* Entries of which no two touch, at other places for each number. */
static double commit_ns(stowage_context *context, int number, stowage_type **type) {
  int64_t places[ENTRIES];
  for (int i = 0; i < ENTRIES; i++) places[i] = 3 * i + (i * i + number) % 2;
  places[ENTRIES - 1] += number;
  const int64_t start = now_ns();
  stowage_builder *builder = stowage_builder_new(STOWAGE_STANDARD);
  const stowage_node node = stowage_indexed_block(builder, ENTRIES, 1, places, stowage_named(builder, "MPI_DOUBLE"));
  stowage_commit(context, builder, node, type);
  stowage_builder_free(builder);
  return (double)(now_ns() - start);
}

static double commits_ns(stowage_context *context, int first, int step) {
  double ns[TYPES];
  stowage_type *types[TYPES];
  for (int i = 0; i < TYPES; i++) ns[i] = commit_ns(context, first + i * step, &types[i]);
  for (int i = 0; i < TYPES; i++) stowage_type_free(types[i]);
  qsort(ns, TYPES, sizeof *ns, by_size);
  return ns[TYPES / 2];
}

static unsigned char memory[4096], packed[1024];

/* By a call, or by the loop alone that it calls. */
static void tell(const char *name, const stowage_type *type, int is_call, int rounds, double commit) {
  static double ns[MOST_ROUNDS];
  const struct node *node = type->piece.node;
  unsigned char *at = memory + type->piece.offset;
  for (int round = 0; round < rounds; round++) {
    const int64_t start = now_ns();
    if (is_call)
      for (int i = 0; i < CALLS; i++) stowage_pack(memory, 1, type, packed, sizeof packed);
    else
      for (int i = 0; i < CALLS; i++) node->repeat[TO_PACKED](node, 1, 0, at, packed);
    ns[round] = (double)(now_ns() - start) / CALLS;
  }
  qsort(ns, (size_t)rounds, sizeof *ns, by_size);
  printf("%s %lld %.2f %.2f %.2f %.0f\n", name, (long long)type->size, ns[rounds / 2], ns[0], ns[rounds - 1], commit);
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 101;
  const struct stowage_options nothing = {"", ""};
  if (rounds < 1 || rounds > MOST_ROUNDS) return 2;
  for (size_t i = 0; i < sizeof memory; i++) memory[i] = (unsigned char)(i * 131 + 7);
  stowage_type *type = two_integers(), *list;
  stowage_pack(memory, 1, type, packed, sizeof packed);
  if (memcmp(packed, memory, 4) != 0 || memcmp(packed + 4, memory + 8, 4) != 0) return 1;
  tell("call", type, 1, rounds, 0);
  tell("loop", type, 0, rounds, 0);
  stowage_type_free(type);
  commit_ns(NULL, 0, &list);
  tell("alone", list, 1, rounds, commits_ns(NULL, 0, 1));
  stowage_context *context = stowage_open(&nothing);
  tell("first", list, 1, rounds, commits_ns(context, 1000, 1));
  tell("again", list, 1, rounds, commits_ns(context, 1000, 0));
  stowage_type_free(list);
  stowage_close(context);
  return 0;
}
