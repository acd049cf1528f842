/* Which way messages go by their times, for times that are made: staged-choice NATIVE STAGED MESSAGES UNDER_WAY, of
 * messages that take so many nanoseconds the one way and the other, so many at once. Prints how many of the last half
 * were staged, how many of all were tried, and how many of those were staged. */
#include "staged-choice.h"

#include "staged-hosts.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

enum staged_host staged_host_of(MPI_Comm communicator, int peer) { return (void)communicator, (void)peer, SAME_HOST; }

int main(int argc, char **argv) {
  if (argc != 5) return 1;
  const long times[] = {atol(argv[1]), atol(argv[2])}, messages = atol(argv[3]), at_once = atol(argv[4]);
  const struct staged_kind kind = {.bytes = 1000, .run_bytes = 8};
  struct staged_choice *tried[MOST];
  int is_staged[MOST];
  long late = 0, trials = 0, staged_trials = 0;
  staged_choice_begin(1);
  for (long i = 0; i < messages; i += at_once) {
    for (long j = 0; j < at_once; j++) {
      is_staged[j] = staged_is_chosen(&kind, &tried[j]);
      staged_trial_begins(tried[j]);
      late += i >= messages / 2 && is_staged[j];
      trials += tried[j] != NULL;
      staged_trials += tried[j] != NULL && is_staged[j];
    }
    /* Each takes some more than the one before. */
    for (long j = 0; j < at_once; j++) staged_trial_ends(tried[j], times[is_staged[j]] + (i + j) % 7);
  }
  printf("%ld %ld %ld\n", late, trials, staged_trials);
  return 0;
}
