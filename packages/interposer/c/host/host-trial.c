#include "host-trial.h"

#include "host-choice.h"
#include "inbox.h"
#include "mode.h"
#include "probe.h"
#include "type-shape.h"

void host_trials_begin(void) {
  static const char *const ways[WAYS] = {"through it", "past the MPI"};
  if (!mode_verifies()) way_choice_begin(ways);
}

static size_t left_run_bytes = SIZE_MAX;

void host_trials_leave(size_t run_bytes) { left_run_bytes = run_bytes; }

int host_may_go_past(struct elements *e) {
  if (!elements_are_ours(e) || e->code.kernel == PROBE_KERNEL || e->code.run_bytes >= left_run_bytes) return 0;
  return e->bytes >= host_least_bytes() && e->bytes <= INBOX_BYTES;
}

int host_trial_sends_past(const struct elements *e, int is_persistent, struct way_choice **tried) {
  *tried = NULL;
  if (!host_is_measured()) return 1;
  const struct way_kind kind = {.bytes = e->bytes, .shape = type_shape_of(&e->code), .is_persistent = is_persistent};
  return way_chosen(&kind, tried) == SECOND_WAY;
}

struct way_choice *host_trial_receives(const struct elements *e) {
  struct way_choice *tried;
  host_trial_sends_past(e, 0, &tried);
  return tried;
}
