#include "ways.h"

#include <stdlib.h>

/* From one trial to the next come at least SELDOM times as many messages as that had. */
enum { FEWEST = 1000, MOST = 64000, SELDOM = 32 };
/* The second way has to win clearly, and to go on has to lose nothing. In hundredths of the first one's time. */
enum { WINS = 90, KEEPS = 100 };
/* And of the pairs of turns it has to win so many: by chance, where times scatter by more than the ways differ, it does
 * in 18 of 1000 trials (of the binomial of WAYS_TURNS). */
enum { WON_PAIRS = 12 };

struct ways ways_begin(uint64_t draws, enum way first) {
  return (struct ways){.chosen = first, .left = WAYS_FIRST, .interval = FEWEST / 2, .draws = draws};
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mixed(uint64_t z) {
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Other threads read which way messages go while one chooses. */
#define LOAD(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define STORE(field, value) __atomic_store_n(&(field), value, __ATOMIC_RELAXED)

enum way ways_chosen(const struct ways *w) { return LOAD(w->chosen); }

/* Turns come in pairs of both ways, the first of which is drawn: what other messages of the program are tried too does
 * not go in step. */
static enum way way_of(const struct ways *w, int turn) {
  const uint64_t drawn = mixed(LOAD(w->draws) + (uint64_t)(turn / WAYS) * UINT64_C(0x9e3779b97f4a7c15));
  return (enum way)((unsigned)(turn ^ (int)(drawn & 1)) & 1);
}

enum way ways_now(const struct ways *w) { return ways_are_tried(w) ? way_of(w, LOAD(w->turns)) : ways_chosen(w); }

static int compare(const void *a, const void *b) {
  const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

static int64_t median(int64_t times[WAYS_TURNS]) {
  qsort(times, WAYS_TURNS, sizeof times[0], compare);
  return times[WAYS_TURNS / 2];
}

/* Of turns one behind the other, of which whatever else there is at work is a part alike. */
static int pairs_won(const struct ways *w) {
  int won = 0;
  for (int i = 0; i < WAYS_TURNS; i++) won += w->turn_ns[SECOND_WAY][i] < w->turn_ns[FIRST_WAY][i];
  return won;
}

static int second_way_wins(struct ways *w) {
  const int won = pairs_won(w);
  for (int way = 0; way < WAYS; way++) w->median_ns[way] = median(w->turn_ns[way]);
  const int64_t first = w->median_ns[FIRST_WAY], second = w->median_ns[SECOND_WAY];
  if (w->chosen == SECOND_WAY) return second * 100 < first * KEEPS;
  return second * 100 < first * WINS && won >= WON_PAIRS;
}

/* What stays as it is is tried less often each time. */
static void choose(struct ways *w, enum way chosen) {
  const int longer = w->interval * 2 < MOST ? w->interval * 2 : MOST;
  w->interval = chosen != w->chosen ? FEWEST : longer;
  STORE(w->chosen, chosen);
  STORE(w->turns, 0);
  STORE(w->draws, w->draws + 1);
  STORE(w->left, w->interval > SELDOM * w->tried ? w->interval : SELDOM * w->tried);
  w->tried = 0;
}

int ways_turn(struct ways *w, int64_t ns) {
  w->turn_ns[ways_now(w)][w->turns / WAYS] = ns;
  if (w->turns + 1 < WAYS * WAYS_TURNS) {
    STORE(w->turns, w->turns + 1);
    return 0;
  }
  choose(w, second_way_wins(w) ? SECOND_WAY : FIRST_WAY);
  return 1;
}
