#define _GNU_SOURCE 1
#include "interposed.h"

#include "excluded.h"
#include "exported.h"
#include "next.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uintptr_t word;

/* By which libraries of ours know each other: next.c. */
EXPORTED const char stowage_interposer_mark = 0;

static const uintptr_t opened = 1, closed = 0;
static gate_word gates[GATES] = {&opened, &opened, &opened, &opened, &opened};
static const struct attachment attachment = {STOWAGE_VERSION, ROWS, next_function, gates};

static const char *const names[ROWS] = {
#define CALL(name, words, gate) "MPI_" #name, "PMPI_" #name,
#define INNER(name, words) #name,
#define OWN(name, words) #name,
#include "rows.h"
#undef CALL
#undef INNER
#undef OWN
};

enum kind { OF_MPI, OF_US };
static const struct {
  unsigned char gate, kind;
} facts[ROWS] = {
#define CALL(name, words, gate) {gate, OF_MPI}, {gate, OF_MPI},
#define INNER(name, words) {GATE_OPEN, OF_MPI},
#define OWN(name, words) {GATE_OPEN, OF_US},
#include "rows.h"
#undef CALL
#undef INNER
#undef OWN
};

/* A program that is linked with its MPI would not have started. */
static word absent(void) {
  static const char line[] = "stowage: a function was called that this MPI does not have\n";
  if (write(STDERR_FILENO, line, strlen(line)) < 0) abort();
  abort();
}

static word nothing(void) { return 0; }

/* NULL: no MPI was loaded yet. No lock is held while the loader is asked, which may hold its own; two threads find the
 * same. */
static void *const *hooks_known(void) {
  static void *const *known;
  static hook_table none = {NULL};
  void *const *hooks = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
  if (hooks != NULL || next_function("PMPI_Init") == NULL) return hooks;
  hooks = is_excluded() ? NULL : hooks_for(mpi_family(), &attachment);
  if (hooks == NULL) {
    hooks = none;
    for (int i = GATE_DEVICE; i < GATES; i++) __atomic_store_n(&gates[i], &closed, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&known, hooks, __ATOMIC_RELEASE);
  return hooks;
}

/* Words as parameters, and passed on. */
#define WORDS_0 void
#define WORDS_1 word a
#define WORDS_2 WORDS_1, word b
#define WORDS_3 WORDS_2, word c
#define WORDS_4 WORDS_3, word d
#define WORDS_5 WORDS_4, word e
#define WORDS_6 WORDS_5, word f
#define WORDS_7 WORDS_6, word g
#define WORDS_8 WORDS_7, word h
#define WORDS_9 WORDS_8, word i
#define WORDS_10 WORDS_9, word j
#define WORDS_11 WORDS_10, word k
#define WORDS_12 WORDS_11, word l
#define PASSED_0
#define PASSED_1 a
#define PASSED_2 PASSED_1, b
#define PASSED_3 PASSED_2, c
#define PASSED_4 PASSED_3, d
#define PASSED_5 PASSED_4, e
#define PASSED_6 PASSED_5, f
#define PASSED_7 PASSED_6, g
#define PASSED_8 PASSED_7, h
#define PASSED_9 PASSED_8, i
#define PASSED_10 PASSED_9, j
#define PASSED_11 PASSED_10, k
#define PASSED_12 PASSED_11, l

/* What a row calls until it is settled. */
#define CALL(name, words, gate) static word first_MPI_##name(WORDS_##words), first_PMPI_##name(WORDS_##words);
#define INNER(name, words) static word first_##name(WORDS_##words);
#define OWN(name, words) static word first_##name(WORDS_##words);
#include "rows.h"
#undef CALL
#undef INNER
#undef OWN

/* Where a call of a row goes when its gate is open, and when not. */
#define CALL(name, words, gate) (void *)first_MPI_##name, (void *)first_PMPI_##name,
#define INNER(name, words) (void *)first_##name,
#define OWN(name, words) (void *)first_##name,
static void *ours[ROWS] = {
#include "rows.h"
};
static void *passed_on[ROWS] = {
#include "rows.h"
};
#undef CALL
#undef INNER
#undef OWN

/* What others write at any time. */
static inline int is_open(enum gate gate) {
  return __atomic_load_n(__atomic_load_n(&gates[gate], __ATOMIC_RELAXED), __ATOMIC_RELAXED) != 0;
}

/* At the first call of a row: where it goes, from now on too if that is certain. */
static void *settle(enum row row) {
  void *behind = facts[row].kind == OF_US ? (void *)nothing : next_function(names[row]);
  if (behind == NULL) behind = (void *)absent;
  void *const *hooks = hooks_known();
  if (hooks == NULL) return behind;
  void *hook = hooks[row] != NULL ? hooks[row] : behind;
  __atomic_store_n(&passed_on[row], behind, __ATOMIC_RELAXED);
  __atomic_store_n(&ours[row], hook, __ATOMIC_RELAXED);
  const enum gate gate = facts[row].gate;
  return gate == GATE_OPEN || is_open(gate) ? hook : behind;
}

/* All are calls in tail position, so that they become jumps. */
#define TO(function, words) return ((word (*)(WORDS_##words))(function))(PASSED_##words)

#define INTERPOSED(symbol, words, gate)                                          \
  static word first_##symbol(WORDS_##words) { TO(settle(ROW_##symbol), words); } \
  EXPORTED word symbol(WORDS_##words) {                                          \
    if ((gate) == GATE_OPEN || UNLIKELY(is_open(gate)))                          \
      TO(__atomic_load_n(&ours[ROW_##symbol], __ATOMIC_RELAXED), words);         \
    TO(__atomic_load_n(&passed_on[ROW_##symbol], __ATOMIC_RELAXED), words);      \
  }

#define CALL(name, words, gate)       \
  INTERPOSED(MPI_##name, words, gate) \
  INTERPOSED(PMPI_##name, words, gate)
#define INNER(name, words) INTERPOSED(name, words, GATE_OPEN)
#define OWN(name, words) INTERPOSED(name, words, GATE_OPEN)
#include "rows.h"
#undef CALL
#undef INNER
#undef OWN
