#include "host-trial.h"

#include "clock.h"
#include "say.h"

#include <inttypes.h>
#include <string.h>

/* A trial that is not over within so many messages, which come another way or with pauses, is given up. */
enum { MOST_TRIED = 8 * WAYS * WAYS_TURNS };
/* A pause between two parts of a message in which the program was elsewhere. */
enum { PAUSE_NS = 300 * 1000 };
/* Of what a message with such a pause has taken. */
enum { PAUSED = -1 };

static struct ways trials[INBOX_KINDS];
/* The last part of any message that is tried. */
static int64_t last_ns;

int host_trial_sends_past(struct inbox *inbox, uint64_t kind) {
  const int place = inbox_place(inbox, kind, 1);
  return place >= 0 && atomic_load_explicit(&inbox->kinds[place].is_past, memory_order_relaxed);
}

/* Other than its senders': which way its own messages go is not to be in step with theirs. */
static uint64_t own_draws(void) {
  uint64_t draws;
  memcpy(&draws, inbox_own->nonce, sizeof draws);
  return draws;
}

/* The first message begins them. */
static struct ways *trial_of(int place) {
  struct ways *w = &trials[place];
  if (w->interval == 0) *w = ways_begin(own_draws() + (uint64_t)place);
  return w;
}

/* Tells senders. */
static void tell(int place) {
  const int is_past = ways_now(&trials[place]) == SECOND_WAY;
  atomic_store_explicit(&inbox_own->kinds[place].is_past, is_past, memory_order_relaxed);
}

int host_trial_comes(uint64_t kind) {
  const int place = inbox_place(inbox_own, kind, 0);
  if (place < 0) return -1;
  struct ways *w = trial_of(place);
  if (ways_are_tried(w)) return place;
  ways_wait(w);
  if (ways_are_tried(w)) tell(place);
  return -1;
}

void host_trial_moved(int64_t *spent_ns, int64_t start_ns, int is_first) {
  const int64_t from = is_first || last_ns > start_ns ? start_ns : last_ns;
  last_ns = now_ns();
  if (start_ns - from > PAUSE_NS) *spent_ns = PAUSED;
  if (*spent_ns != PAUSED) *spent_ns += last_ns - from;
}

static void say_chosen(uint64_t kind, const struct ways *w) {
  say("receives of %" PRIu32 " bytes in runs of %" PRIu32 ": medians of %d: %" PRId64 " ns past the MPI, %" PRId64
      " ns through it: %s",
      (uint32_t)kind, (uint32_t)(kind >> 32), WAYS_TURNS, w->median_ns[SECOND_WAY], w->median_ns[FIRST_WAY],
      w->chosen == SECOND_WAY ? "past" : "through");
}

void host_trial_ends(int place, enum way way, int64_t spent_ns) {
  struct ways *w = &trials[place];
  /* Of messages that were under way together the first may have ended the trial. */
  if (!ways_are_tried(w)) return;
  w->tried++;
  if (way == ways_now(w) && spent_ns != PAUSED && ways_turn(w, spent_ns))
    say_chosen(atomic_load(&inbox_own->kinds[place].kind), w);
  else if (w->tried >= MOST_TRIED) ways_give_up(w);
  tell(place);
}
