/* A message of the host as the program gave it. */
#include "staged-routes.h"

#include "counts.h"
#include "record.h"
#include "way-choice.h"

static int supports(const struct message *m) { return (void)m, 1; }

static int give(struct message *m) {
  way_trial_begins(m->choice);
  return give_as_it_is(m);
}

static void counted(const struct message *m, size_t bytes) {
  count_native(m->direction, bytes);
  record_message(m->code.entry, m->direction, (int64_t)bytes, 0, 0, 0);
}

static int begin(struct message *const messages[], size_t count) {
  for (size_t i = 0; i < count; i++)
    if (messages[i]->direction == STOWAGE_PACK) counted(messages[i], messages[i]->buffer.bytes);
  return MPI_SUCCESS;
}

static int arrived(struct message *m, size_t bytes, struct gpu_move *move) {
  *move = (struct gpu_move){.buffer = &m->buffer};
  if (bytes > 0) counted(m, bytes);
  return MPI_SUCCESS;
}

static void release(struct message *m) { way_trial_ends(m->choice, m->spent_ns); }

const struct route route_plain = {"plain", supports, give, begin, NULL, arrived, NULL, release};
