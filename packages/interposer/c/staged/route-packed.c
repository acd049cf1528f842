/* A message of the host as packed bytes in memory of ours. The MPI is given as many elements, of the same size: its
 * counts, probes and statuses are those of the program's call. */
#include "route-packed.h"

#include "counts.h"
#include "mode.h"
#include "move-range.h"
#include "packed-type.h"
#include "predefined.h"
#include "record.h"
#include "staged-memory.h"
#include "verify-call.h"

static int supports(const struct message *m) { return m->code.kernel != NULL; }

static void give_natively(struct message *m) {
  m->given.memory = m->buffer.user;
  m->given.count = (MPI_Count)m->buffer.count;
  m->given.type = m->buffer.type;
}

/* Without memory it stays native. */
static int give(struct message *m) {
  MPI_Datatype type;
  m->state = packed_type(m->code.size_bytes, &type) ? staged_memory_take(m->buffer.bytes) : NULL;
  if (m->state == NULL) return give_natively(m), MPI_SUCCESS;
  m->given.memory = m->state;
  m->given.count = (MPI_Count)m->buffer.count;
  m->given.type = type;
  return MPI_SUCCESS;
}

static struct packing_call call_of(const struct message *m, size_t elements) {
  return (struct packing_call){.direction = m->direction,
                               .user = m->buffer.user,
                               .count = (MPI_Count)elements,
                               .type = m->buffer.type,
                               .communicator = PREDEFINED_SELF};
}

static struct verify_range range_of(const struct message *m, size_t elements) {
  return (struct verify_range){m->code.entry, m->code.kernel, elements, 0, elements * m->code.size_bytes};
}

static void counted(const struct message *m, size_t bytes) {
  const int ours = m->state != NULL;
  if (ours) count_ours(m->direction, bytes);
  else count_native(m->direction, bytes);
  record_message(m->code.entry, m->direction, (int64_t)bytes, 0, 0, ours);
}

static void pack(struct message *m) {
  const int64_t start_ns = record_start();
  move_range(m->code.kernel, STOWAGE_PACK, m->buffer.user, m->buffer.count, m->state, 0, m->buffer.bytes);
  if (start_ns != 0) record_packed(m->code.entry, STOWAGE_PACK, start_ns, 1);
  if (!mode_verifies()) return;
  const struct verify_range range = range_of(m, m->buffer.count);
  const struct packing_call call = call_of(m, m->buffer.count);
  verify_call_packed(&range, &call, m->state);
}

static int begin(struct message *const messages[], size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (messages[i]->direction == STOWAGE_UNPACK) continue;
    counted(messages[i], messages[i]->buffer.bytes);
    if (messages[i]->state != NULL) pack(messages[i]);
  }
  return MPI_SUCCESS;
}

/* How much of what came is whole basic elements, as far as the type's are of one size. */
static size_t whole(const struct message *m, size_t bytes) {
  const size_t some = bytes < m->buffer.bytes ? bytes : m->buffer.bytes, period = m->code.period_bytes;
  return period == m->code.size_bytes ? some : some - some % period;
}

static void unpack_range(const struct message *m, size_t first, size_t last) {
  unsigned char *packed = m->state;
  if (last > first)
    move_range(m->code.kernel, STOWAGE_UNPACK, m->buffer.user, m->buffer.count, packed + first, first, last - first);
}

/* What is behind the last whole element of the type cannot be compared. */
static void unpack_verified(const struct message *m, size_t bytes) {
  const size_t elements = bytes / m->code.size_bytes, compared = elements * m->code.size_bytes;
  const struct verify_range range = range_of(m, elements);
  const struct packing_call call = call_of(m, elements);
  if (elements > 0) verify_call_unpacks(&range, &call, m->state);
  unpack_range(m, compared, bytes);
}

static void unpack(const struct message *m, size_t bytes) {
  const int64_t start_ns = mode_verifies() ? 0 : record_start();
  if (mode_verifies()) unpack_verified(m, bytes);
  else unpack_range(m, 0, bytes);
  if (start_ns != 0) record_packed(m->code.entry, STOWAGE_UNPACK, start_ns, 1);
}

static int arrived(struct message *m, size_t bytes, struct gpu_move *move) {
  const size_t came = whole(m, bytes);
  *move = (struct gpu_move){.buffer = &m->buffer};
  if (came == 0) return MPI_SUCCESS;
  counted(m, came);
  if (m->state != NULL) unpack(m, came);
  return MPI_SUCCESS;
}

static void release(struct message *m) { staged_memory_give(m->state, m->buffer.bytes); }

const struct route route_packed = {"packed", supports, give, begin, NULL, arrived, NULL, release};
