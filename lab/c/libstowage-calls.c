/* What a call and a commit cost besides moving bytes: libstowage-calls ROUNDS. A line a figure: its name, packed bytes,
 * median, least and greatest nanoseconds of a pack, and the median of 64 commits of other types. Code comes from the
 * service and the cache that the environment says.
 *   call        a pack of two integers; `loop` is the loop alone that it calls
 *   code        the same by machine code; `kernel` is that code alone
 *   alone       a list of 100 doubles, committed without a context, as if for the first time
 *   first       the same with a context that has nothing cached and no service
 *   asked       with one whose service is asked for code, and has none yet
 *   cached      with one that has no service, and finds code in the cache
 *   ready       one that such a context has, with its code
 *   again       one that a context has, without code */
#define _GNU_SOURCE 1
#include "stowage.c"

#include "code-store.h"
#include "samples.h"
#include "stowage_types.h"
#include "type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t WAIT_NS = (int64_t)60 * 1000000000;
enum { MOST_ROUNDS = 1001, CALLS = 2000, TYPES = 64, ENTRIES = 100 };

static stowage_type *two_integers(stowage_context *context) {
  stowage_builder *builder = stowage_builder_new(STOWAGE_STANDARD);
  stowage_type *type;
  stowage_commit(context, builder, stowage_vector(builder, 2, 1, 2, stowage_named(builder, "MPI_INT")), &type);
  stowage_builder_free(builder);
  return type;
}

/* Entries of which no two touch, at other places for each number. */
static double commit_ns(stowage_context *context, int number, stowage_type **type) {
  int64_t places[ENTRIES];
  for (int i = 0; i < ENTRIES; i++) places[i] = 3 * i + (i * i + number) % 2;
  places[ENTRIES - 1] += number;
  const double start = now_ns();
  stowage_builder *builder = stowage_builder_new(STOWAGE_STANDARD);
  const stowage_node node = stowage_indexed_block(builder, ENTRIES, 1, places, stowage_named(builder, "MPI_DOUBLE"));
  stowage_commit(context, builder, node, type);
  stowage_builder_free(builder);
  return now_ns() - start;
}

/* Waits for the code of all where `is_waited`. */
static double commits_ns(stowage_context *context, int first, int step, int is_waited) {
  double ns[TYPES];
  stowage_type *types[TYPES];
  for (int i = 0; i < TYPES; i++) ns[i] = commit_ns(context, first + i * step, &types[i]);
  for (int i = 0; i < TYPES && is_waited; i++)
    if (stowage_wait_code(types[i], WAIT_NS) != STOWAGE_OK) exit(3);
  for (int i = 0; i < TYPES; i++) stowage_type_free(types[i]);
  sort_samples(ns, TYPES);
  return ns[TYPES / 2];
}

/* As far as the farthest list reaches. */
static unsigned char memory[1 << 15], packed[1024];

enum inside { BY_CALL, BY_LOOP, BY_KERNEL };

static void pack(const stowage_type *type, enum inside by) {
  const struct node *node = type->piece.node;
  unsigned char *at = memory + type->piece.offset;
  if (by == BY_CALL)
    for (int i = 0; i < CALLS; i++) stowage_pack(memory, 1, type, packed, sizeof packed);
  else if (by == BY_LOOP)
    for (int i = 0; i < CALLS; i++) node->repeat[TO_PACKED](node, 1, 0, at, packed);
  else {
    const entry_function entry = code_kernel(type->code)->moves[STORE_PACK].entry;
    for (int i = 0; i < CALLS; i++) entry(memory, packed, 1, 0, type->size);
  }
}

static void tell(const char *name, const stowage_type *type, enum inside by, int rounds, double commit) {
  static double ns[MOST_ROUNDS];
  for (int round = 0; round < rounds; round++) {
    const double start = now_ns();
    pack(type, by);
    ns[round] = (now_ns() - start) / CALLS;
  }
  sort_samples(ns, rounds);
  printf("%s %lld %.2f %.2f %.2f %.0f\n", name, (long long)type->size, ns[rounds / 2], ns[0], ns[rounds - 1], commit);
}

/* Both ways, of two integers. */
static void tell_calls(stowage_context *context, const char *call, const char *inside, enum inside by, int rounds) {
  stowage_type *type = two_integers(context);
  if (by == BY_KERNEL && stowage_wait_code(type, WAIT_NS) != STOWAGE_OK) exit(3);
  memset(packed, 0, sizeof packed);
  stowage_pack(memory, 1, type, packed, sizeof packed);
  if (memcmp(packed, memory, 4) != 0 || memcmp(packed + 4, memory + 8, 4) != 0) exit(1);
  tell(call, type, BY_CALL, rounds, 0);
  tell(inside, type, by, rounds, 0);
  stowage_type_free(type);
}

/* Commits of lists, and packs of one of them. */
static void tell_commits(const char *name, stowage_context *context, int first, int step, int is_waited, int rounds) {
  const double commit = commits_ns(context, first, step, is_waited);
  stowage_type *list;
  commit_ns(context, first, &list);
  tell(name, list, BY_CALL, rounds, commit);
  stowage_type_free(list);
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 101;
  const struct stowage_options nothing = {"", ""}, cache = {NULL, ""};
  if (rounds < 1 || rounds > MOST_ROUNDS) return 2;
  for (size_t i = 0; i < sizeof memory; i++) memory[i] = (unsigned char)(i * 131 + 7);
  stowage_context *alone = stowage_open(&nothing), *served = stowage_open(NULL);
  tell_calls(NULL, "call", "loop", BY_LOOP, rounds);
  tell_calls(served, "code", "kernel", BY_KERNEL, rounds);
  tell_commits("alone", NULL, 0, 1, 0, rounds);
  tell_commits("first", alone, 1000, 1, 0, rounds);
  tell_commits("again", alone, 1000, 0, 0, rounds);
  tell_commits("asked", served, 2000, 1, 1, rounds);
  stowage_context *cached = stowage_open(&cache);
  tell_commits("cached", cached, 2000, 1, 1, rounds);
  tell_commits("ready", cached, 2000, 1, 1, rounds);
  stowage_close(alone);
  stowage_close(served);
  stowage_close(cached);
  return 0;
}
