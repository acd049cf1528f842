/* A message of the host as packed bytes in memory of ours. The MPI is given as many elements, of the same size: its
 * counts, probes and statuses are those of the program's call. */
#include "staged-routes.h"

#include "elements.h"
#include "packed-type.h"
#include "packing-memory.h"
#include "staged-side.h"
#include "way-choice.h"

static int supports(const struct message *m) { return m->code.kernel != NULL; }

static int give_plain(struct message *m) {
  m->route = &route_plain;
  return m->route->give(m);
}

/* Without memory it stays native. */
static int give(struct message *m) {
  MPI_Datatype type;
  m->state = packed_type(m->code.size_bytes, &type) ? packing_memory_take(&packing_of_messages, m->buffer.bytes) : NULL;
  if (m->state == NULL) return give_plain(m);
  way_trial_begins(m->choice);
  m->given.memory = m->state;
  m->given.count = (MPI_Count)m->buffer.count;
  m->given.type = type;
  return MPI_SUCCESS;
}

static int begin(struct message *const messages[], size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (messages[i]->direction == STOWAGE_UNPACK) continue;
    const struct elements elements = staged_elements_of(&messages[i]->buffer, &messages[i]->code);
    elements_pack(&elements, messages[i]->state);
  }
  return MPI_SUCCESS;
}

/* How much of what came is whole basic elements, as far as the type's are of one size. */
static size_t whole(const struct message *m, size_t bytes) {
  const size_t some = bytes < m->buffer.bytes ? bytes : m->buffer.bytes, period = m->code.period_bytes;
  return period == m->code.size_bytes ? some : some - some % period;
}

static int arrived(struct message *m, size_t bytes, struct gpu_move *move) {
  const size_t came = whole(m, bytes);
  *move = (struct gpu_move){.buffer = &m->buffer};
  if (came == 0) return MPI_SUCCESS;
  const struct elements elements = staged_elements_of(&m->buffer, &m->code);
  elements_unpack(&elements, m->state, came);
  return MPI_SUCCESS;
}

static void release(struct message *m) {
  packing_memory_give(&packing_of_messages, m->state, m->buffer.bytes);
  way_trial_ends(m->choice, m->spent_ns);
}

const struct route route_packed = {"packed", supports, give, begin, NULL, arrived, NULL, release};
