#include "staged-choice.h"

#include "handle-table.h"
#include "say.h"
#include "staged-hosts.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

/* The first messages set up connections. From one trial to the next come at least SELDOM times as many messages as that
 * had. */
enum { FIRST = 3, TURNS = 15, WAYS = 2, FEWEST = 1000, MOST = 64000, SELDOM = 32 };
/* Staged has to win clearly, and to go on has to lose nothing. In hundredths of the native time. */
enum { WINS = 95, KEEPS = 100 };

enum way { NATIVELY, STAGED };

struct staged_choice {
  int is_staged;
  /* Messages until the next trial, and how many that was last. */
  int left, interval;
  /* The trial: turns that are over of each way, and their times. */
  int turns;
  int64_t turn_ns[WAYS][TURNS];
  /* The turn under way. */
  int under_way, counted;
  /* Messages of the trial so far. */
  int tried;
  int64_t spent_ns;
  uint64_t draws;
  /* What it is of. */
  enum stowage_direction direction;
  size_t least_bytes;
};

static int is_measured;
static struct handle_table choices = HANDLE_TABLE_EMPTY;
/* Of all of them: a trial is short and seldom. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void staged_choice_begin(int measured) { is_measured = measured; }

static int log2_of(size_t bytes) { return 63 - __builtin_clzll((unsigned long long)bytes | 1); }

/* Addresses are of 48 bits. */
static uintptr_t key_of(const struct staged_kind *kind) {
  const uintptr_t rest = (uintptr_t)log2_of(kind->bytes) << 3 | (uintptr_t)(kind->direction == STOWAGE_PACK) << 2 |
                         (uintptr_t)staged_host_of(kind->communicator, kind->peer);
  return (uintptr_t)kind->entry ^ rest << 48;
}

static struct staged_choice *made(uintptr_t key, const struct staged_kind *kind) {
  struct staged_choice *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  *c = (struct staged_choice){.left = FIRST,
                              .interval = FEWEST / 2,
                              .draws = key,
                              .direction = kind->direction,
                              .least_bytes = (size_t)1 << log2_of(kind->bytes)};
  pthread_mutex_lock(&lock);
  struct staged_choice *other = handle_find(&choices, key);
  const int is_kept = other == NULL && handle_put(&choices, key, c);
  pthread_mutex_unlock(&lock);
  if (is_kept) return c;
  free(c);
  return other;
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mixed(uint64_t z) {
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Turns come in pairs of both ways, the first of which is drawn: what other messages of the program are tried too does
 * not go in step. */
static enum way way_of(const struct staged_choice *c, int turn) {
  const uint64_t drawn = mixed(c->draws + (uint64_t)(turn / WAYS) * UINT64_C(0x9e3779b97f4a7c15));
  return (enum way)((unsigned)(turn ^ (int)(drawn & 1)) & 1);
}

static int is_trying(const struct staged_choice *c) { return __atomic_load_n(&c->left, __ATOMIC_RELAXED) <= 0; }

int staged_is_chosen(const struct staged_kind *kind, struct staged_choice **tried) {
  *tried = NULL;
  if (!is_measured) return 1;
  const uintptr_t key = key_of(kind);
  struct staged_choice *c = handle_find(&choices, key);
  if (c == NULL && (c = made(key, kind)) == NULL) return 0;
  if (kind->is_persistent) return c->is_staged;
  if (!is_trying(c)) {
    __atomic_fetch_sub(&c->left, 1, __ATOMIC_RELAXED);
    return c->is_staged;
  }
  *tried = c;
  return way_of(c, __atomic_load_n(&c->turns, __ATOMIC_RELAXED)) == STAGED;
}

void staged_trial_begins(struct staged_choice *c) {
  if (c == NULL) return;
  pthread_mutex_lock(&lock);
  c->under_way++;
  c->tried++;
  pthread_mutex_unlock(&lock);
}

static int compare(const void *a, const void *b) {
  const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

static int64_t median(int64_t times[TURNS]) {
  qsort(times, TURNS, sizeof times[0], compare);
  return times[TURNS / 2];
}

/* What stays as it is is tried less often each time. */
static void decide(struct staged_choice *c) {
  const int64_t native = median(c->turn_ns[NATIVELY]), staged = median(c->turn_ns[STAGED]);
  const int before = c->is_staged;
  c->is_staged = staged * 100 < native * (before ? KEEPS : WINS);
  say("%s of %zu to %zu bytes: medians of %d turns: %" PRId64 " ns staged, %" PRId64 " ns natively: %s",
      c->direction == STOWAGE_PACK ? "sends" : "receives", c->least_bytes, 2 * c->least_bytes - 1, TURNS, staged,
      native, c->is_staged ? "staged" : "native");
  c->interval = c->is_staged != before ? FEWEST : c->interval * 2 < MOST ? c->interval * 2 : MOST;
  c->turns = 0;
  c->draws++;
  __atomic_store_n(&c->left, c->interval > SELDOM * c->tried ? c->interval : SELDOM * c->tried, __ATOMIC_RELAXED);
  c->tried = 0;
}

static void turn_ends(struct staged_choice *c) {
  if (c->counted > 0) {
    c->turn_ns[way_of(c, c->turns)][c->turns / WAYS] = c->spent_ns / c->counted;
    if (c->turns + 1 == WAYS * TURNS) decide(c);
    else __atomic_store_n(&c->turns, c->turns + 1, __ATOMIC_RELAXED);
  }
  c->counted = 0;
  c->spent_ns = 0;
}

void staged_trial_ends(struct staged_choice *c, int64_t spent_ns) {
  if (c == NULL) return;
  pthread_mutex_lock(&lock);
  if (spent_ns > 0) {
    c->spent_ns += spent_ns;
    c->counted++;
  }
  if (--c->under_way == 0 && is_trying(c)) turn_ends(c);
  pthread_mutex_unlock(&lock);
}
