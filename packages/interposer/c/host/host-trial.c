#include "host-trial.h"

#include "host-choice.h"
#include "host-refused.h"
#include "host-table.h"
#include "inbox.h"
#include "mode.h"
#include "probe.h"
#include "type-shape.h"

void host_trials_begin(void) {
  static const char *const ways[WAYS] = {"through it", "past the MPI"};
  if (mode_verifies()) return;
  host_table_read();
  way_choice_begin(ways, host_table_way);
}

static size_t left_run_bytes = SIZE_MAX;

void host_trials_leave(size_t run_bytes) { left_run_bytes = run_bytes; }

/* What may go past the MPI once its code has come is asked about again. */
static int is_refused_for_good(const struct elements *e, int are_ours) {
  return are_ours ? e->bytes < host_least_bytes() : mode_packs() && e->code.entry == NULL;
}

int host_is_left(const struct elements *e) { return e->code.run_bytes >= left_run_bytes; }

int host_is_movable(struct elements *e) {
  const int are_ours = elements_are_ours(e);
  if (is_refused_for_good(e, are_ours)) return host_refuse(e->type, e->count), 0;
  return are_ours && e->code.kernel != PROBE_KERNEL && e->bytes <= INBOX_MOST_BYTES;
}

int host_may_go_past(struct elements *e) { return host_is_movable(e) && !host_is_left(e); }

int host_trial_is_past(const struct elements *e, struct way_choice **tried) {
  *tried = NULL;
  if (!host_is_measured()) return 1;
  const struct way_kind kind = {.bytes = e->bytes, .shape = type_shape_of(&e->code)};
  return way_chosen(&kind, tried) == SECOND_WAY;
}
