/* Which way messages go by their times, for times that are made: way-choice NATIVE STAGED MESSAGES UNDER_WAY SCATTER
 * SEED FIRST, of messages that take so many nanoseconds the one way and the other, so many at once; one in four, drawn
 * by the seed, takes SCATTER times as long. As many of another shape, of the same sizes and run lengths, take turns
 * with them, and take the one time the other way. Prints of each shape how many of the last half were staged, how many
 * of all were tried, how many of those were staged, and how many before the first trial were. FIRST is 1 where staged
 * ones are predicted to be the faster. */
#include "way-choice.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, SHAPES = 2 };

struct made {
  struct way_kind kind;
  long times[2];
  long late, trials, staged_trials, early;
};

static long scatter;
static enum way first_way;

static enum way predicted(const struct way_kind *kind) { return (void)kind, first_way; }

static void send(struct made *m, long first, long at_once, int is_late) {
  struct way_choice *tried[MOST];
  int is_staged[MOST];
  for (long j = 0; j < at_once; j++) {
    is_staged[j] = way_chosen(&m->kind, &tried[j]) == SECOND_WAY;
    way_trial_begins(tried[j]);
    m->early += m->trials == 0 && tried[j] == NULL && is_staged[j];
    m->late += is_late && is_staged[j];
    m->trials += tried[j] != NULL;
    m->staged_trials += tried[j] != NULL && is_staged[j];
  }
  /* Each takes some more than the one before. */
  for (long j = 0; j < at_once; j++)
    way_trial_ends(tried[j], (m->times[is_staged[j]] + (first + j) % 7) * (random() % 4 == 0 ? scatter : 1));
}

int main(int argc, char **argv) {
  if (argc != 8) return 1;
  scatter = atol(argv[5]);
  srandom((unsigned)atol(argv[6]));
  const long native = atol(argv[1]), staged = atol(argv[2]), messages = atol(argv[3]), at_once = atol(argv[4]);
  struct made all[SHAPES] = {{.kind = {.bytes = 1000, .shape = {40, 8, 80}}, .times = {native, staged}},
                             {.kind = {.bytes = 1000, .shape = {40, 8, 88}}, .times = {staged, native}}};
  static const char *const names[WAYS] = {"natively", "staged"};
  first_way = atol(argv[7]) != 0 ? SECOND_WAY : FIRST_WAY;
  way_choice_begin(names, predicted);
  for (long i = 0; i < messages; i += at_once)
    for (int shape = 0; shape < SHAPES; shape++) send(&all[shape], i, at_once, i >= messages / 2);
  for (int shape = 0; shape < SHAPES; shape++)
    printf("%ld %ld %ld %ld\n", all[shape].late, all[shape].trials, all[shape].staged_trials, all[shape].early);
  return 0;
}
