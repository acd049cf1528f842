/* Two ways that messages of one kind may go, told apart by trials: turns of one way and the other, whose order is
 * drawn. The lower median of the turns wins, until the next trial. */
#ifndef STOWAGE_WAYS_H
#define STOWAGE_WAYS_H

#include <stdint.h>

enum { WAYS_TURNS = 15, WAYS_FIRST = 3 };

/* The first way is the MPI's own. */
enum way { FIRST_WAY, SECOND_WAY, WAYS };

struct ways {
  enum way chosen;
  /* Messages until the next trial, and how many that was last. */
  int left, interval;
  /* The trial: turns that are over, of both ways together, their times, and its messages so far. */
  int turns, tried;
  int64_t turn_ns[WAYS][WAYS_TURNS];
  uint64_t draws;
  /* Of the last trial. */
  int64_t median_ns[WAYS];
};

/* They begin one way. The first messages, which set up connections, are not tried. */
struct ways ways_begin(uint64_t draws, enum way first);

/* Whether a trial goes on. */
static inline int ways_are_tried(const struct ways *w) { return __atomic_load_n(&w->left, __ATOMIC_RELAXED) <= 0; }
/* A message that is not tried. */
static inline void ways_wait(struct ways *w) { __atomic_fetch_sub(&w->left, 1, __ATOMIC_RELAXED); }
/* How a message goes that begins now; and how one does that is not tried. */
enum way ways_now(const struct ways *w);
enum way ways_chosen(const struct ways *w);

/* A turn is over, in so many nanoseconds. Whether the trial is, too: then one way is chosen. */
int ways_turn(struct ways *w, int64_t ns);
#endif
