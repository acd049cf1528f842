#include "way-choice.h"

#include "handle-table.h"
#include "say.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

struct way_choice {
  struct ways ways;
  /* The turn under way: its messages that are not over, those that are, and of how many the time is known. */
  int under_way, over, counted;
  int64_t spent_ns;
  /* What it is of. */
  size_t least_bytes;
  struct type_shape shape;
};

/* A turn has the first message, whose time is in part that of the turn before, and four there and four back: the lines
 * of the other way's memory go from the caches meanwhile. */
enum { MESSAGES_OF_A_TURN = 9 };

/* NULL: nothing is measured. */
static const char *const *names;
static way_predicted *first_way_of;
static struct handle_table choices = HANDLE_TABLE_EMPTY;
/* Of all of them: a trial is short and seldom. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void way_choice_begin(const char *const of[WAYS], way_predicted *predicted) {
  names = of;
  first_way_of = predicted;
}

static int log2_of(size_t bytes) { return 63 - __builtin_clzll((unsigned long long)bytes | 1); }

/* What both sides know, whatever their datatypes: it draws the order of turns. */
static uintptr_t classes_of(const struct way_kind *kind) {
  return (uintptr_t)(log2_of(kind->bytes) << 10 | log2_of(kind->shape.run_bytes) << 4) | (uintptr_t)kind->peers << 1 |
         1;
}

/* By the golden ratio's fraction, so that high bits depend on all (Knuth, volume 3, section 6.4). */
static uint64_t mixed(uint64_t with, uint64_t word) { return (with ^ word) * UINT64_C(0x9e3779b97f4a7c15); }

/* Classes have 16 bits, shapes the others. */
static uintptr_t key_of(const struct type_shape *shape, uintptr_t classes) {
  const uint64_t shapes = mixed(mixed(mixed(0, shape->size_bytes), shape->run_bytes), shape->span_bytes);
  return (uintptr_t)(shapes & ~(uint64_t)0xffff) | classes;
}

static struct way_choice *made(uintptr_t key, uintptr_t classes, const struct way_kind *kind) {
  struct way_choice *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  const enum way first = first_way_of == NULL ? FIRST_WAY : first_way_of(kind);
  *c = (struct way_choice){
      .ways = ways_begin(classes, first), .least_bytes = (size_t)1 << log2_of(kind->bytes), .shape = kind->shape};
  pthread_mutex_lock(&lock);
  struct way_choice *other = handle_find(&choices, key);
  const int is_kept = other == NULL && handle_put(&choices, key, c);
  pthread_mutex_unlock(&lock);
  if (is_kept) return c;
  free(c);
  return other;
}

enum way way_chosen(const struct way_kind *kind, struct way_choice **tried) {
  *tried = NULL;
  if (names == NULL) return SECOND_WAY;
  const uintptr_t classes = classes_of(kind), key = key_of(&kind->shape, classes);
  struct way_choice *c = handle_find(&choices, key);
  if (c == NULL && (c = made(key, classes, kind)) == NULL) return FIRST_WAY;
  if (kind->is_persistent) return ways_chosen(&c->ways);
  const enum way way = ways_now(&c->ways);
  if (ways_are_tried(&c->ways)) *tried = c;
  else ways_wait(&c->ways);
  return way;
}

void way_trial_begins(struct way_choice *c) {
  if (c == NULL) return;
  pthread_mutex_lock(&lock);
  c->under_way++;
  c->ways.tried++;
  pthread_mutex_unlock(&lock);
}

static void say_chosen(const struct way_choice *c) {
  const struct ways *w = &c->ways;
  say("messages of %zu to %zu bytes, elements of %zu in runs of %zu: medians of %d turns: %" PRId64 " ns %s, %" PRId64
      " ns %s: %s",
      c->least_bytes, 2 * c->least_bytes - 1, c->shape.size_bytes, c->shape.run_bytes, WAYS_TURNS,
      w->median_ns[SECOND_WAY], names[SECOND_WAY], w->median_ns[FIRST_WAY], names[FIRST_WAY], names[w->chosen]);
}

static void turn_ends(struct way_choice *c) {
  if (c->counted > 0 && ways_turn(&c->ways, c->spent_ns / c->counted)) say_chosen(c);
  c->over = c->counted = 0;
  c->spent_ns = 0;
}

void way_trial_ends(struct way_choice *c, int64_t spent_ns) {
  if (c == NULL) return;
  pthread_mutex_lock(&lock);
  if (c->over++ > 0 && spent_ns > 0) {
    c->spent_ns += spent_ns;
    c->counted++;
  }
  if (--c->under_way == 0 && c->over >= MESSAGES_OF_A_TURN && ways_are_tried(&c->ways)) turn_ends(c);
  pthread_mutex_unlock(&lock);
}
