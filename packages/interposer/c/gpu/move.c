#include "move.h"

#include "counts.h"
#include "failure.h"
#include "launch.h"
#include "mode.h"
#include "record.h"
#include "runs.h"
#include "say.h"
#include "verify.h"

#include <stdlib.h>

/* Moves in one context, from when that is entered until their bytes have arrived. */
struct batch {
  struct gpu_context *context;
  enum stowage_direction direction;
  struct gpu_move moves[MOST_MOVES];
  const stowage_kernel *kernels[MOST_MOVES];
  int is_dense[MOST_MOVES];
  size_t count;
};

int moves_are_watched(void) { return mode_verifies() || record_wanted(); }

/* All that is packed when a move is done, of which the first bytes may have been moved before. */
static size_t bytes_of(const struct gpu_move *m) { return m->first + m->length; }

static int copy(struct gpu_context *context, enum stowage_direction direction, const struct gpu_move *m) {
  const gpu_address user = (gpu_address)(uintptr_t)m->buffer->user + m->first, far = m->packed.far + m->first;
  const int packs = direction == STOWAGE_PACK;
  if (m->length == 0) return 0;
  if (m->packed.far != 0)
    return driver_copy_between(packs ? far : user, packs ? user : far, m->length, context->stream);
  return driver_copy(direction, user, m->packed.near + m->first, m->length, context->stream);
}

/* --- Run by run --- */

static int between_far_and(const struct batch *batch, const struct gpu_move *m, enum stowage_direction direction,
                           void *near, size_t bytes) {
  const int result = driver_copy(direction, m->packed.far, near, bytes, batch->context->stream);
  return result != 0 ? result : driver_synchronise(batch->context->stream);
}

/* Packed bytes on a device come to the host, and go back. */
static int far_by_runs(const struct batch *batch, const struct gpu_move *m) {
  const int packs = batch->direction == STOWAGE_PACK;
  unsigned char *near = malloc(m->buffer->bytes + 1);
  if (near == NULL) return DRIVER_OUT_OF_MEMORY;
  int result =
      packs ? runs_pack(batch->context, m->buffer, near) : between_far_and(batch, m, STOWAGE_PACK, near, bytes_of(m));
  if (result == 0 && packs) result = between_far_and(batch, m, STOWAGE_UNPACK, near, m->buffer->bytes);
  else if (result == 0) result = runs_unpack(batch->context, m->buffer, near, bytes_of(m));
  free(near);
  return result;
}

static int by_runs(const struct batch *batch, const struct gpu_move *m) {
  if (m->packed.far != 0) return far_by_runs(batch, m);
  if (batch->direction == STOWAGE_PACK) return runs_pack(batch->context, m->buffer, m->packed.near);
  return runs_unpack(batch->context, m->buffer, m->packed.near, bytes_of(m));
}

/* --- A batch --- */

/* A kernel that the driver does not take is not tried again: its bytes go run by run. */
static int move_all(struct batch *batch) {
  int result = launch_all(batch->context, batch->direction, batch->moves, batch->kernels, batch->count), slow = 0;
  if (result != 0) {
    SAY_ONCE("kernels for a device: expected the driver to launch them, got result %d: buffers are copied run by run",
             result);
    for (size_t i = 0; i < batch->count; i++) batch->kernels[i] = NULL;
    result = 0;
  }
  for (size_t i = 0; i < batch->count && result == 0; i++) {
    if (batch->is_dense[i]) result = copy(batch->context, batch->direction, &batch->moves[i]);
    else if (batch->kernels[i] == NULL) slow = 1;
  }
  const int done = driver_synchronise(batch->context->stream);
  if (result == 0) result = done;
  for (size_t i = 0; i < batch->count && result == 0 && slow; i++)
    if (!batch->is_dense[i] && batch->kernels[i] == NULL) result = by_runs(batch, &batch->moves[i]);
  return result;
}

/* Packs by runs too; where the kernel's bytes differ, from now on those of the runs count. */
static int compare(const struct batch *batch, size_t i) {
  const struct gpu_move *m = &batch->moves[i];
  const struct gpu_buffer *b = m->buffer;
  const int packs = batch->direction == STOWAGE_PACK, is_far = m->packed.far != 0;
  const struct verify_range range = {b->facts.code, batch->kernels[i], b->count, 0, bytes_of(m)};
  unsigned char *slow = malloc(2 * b->bytes + 1), *packed = is_far ? slow + b->bytes : m->packed.near;
  if (slow == NULL) return 0;
  int result = runs_pack(batch->context, b, slow);
  if (result == 0 && is_far) result = between_far_and(batch, m, STOWAGE_PACK, packed, bytes_of(m));
  const int differs = result == 0 && verify_packed(&range, packs ? packed : slow, packs ? slow : packed);
  if (differs && is_far && packs) result = between_far_and(batch, m, STOWAGE_UNPACK, packed, b->bytes);
  free(slow);
  return differs && !packs ? by_runs(batch, m) : result;
}

static int settle(struct batch *batch, int64_t start_ns) {
  int result = 0;
  for (size_t i = 0; i < batch->count && result == 0; i++) {
    const int ours = batch->kernels[i] != NULL;
    const size_t bytes = bytes_of(&batch->moves[i]);
    struct stowage_code *entry = batch->moves[i].buffer->facts.entry;
    if (ours && mode_verifies()) result = compare(batch, i);
    if (ours) count_ours(batch->direction, bytes);
    else if (!batch->is_dense[i]) count_native(batch->direction, bytes);
    record_message(entry, batch->direction, (int64_t)bytes, 0, 0, ours);
    if (start_ns != 0 && entry != NULL) record_packed(entry, batch->direction, start_ns, ours);
  }
  return result;
}

/* What is in the batch is moved, and its context left. */
static int finish(struct batch *batch) {
  if (batch->context == NULL) return MPI_SUCCESS;
  const int64_t start_ns = record_start();
  int result = move_all(batch);
  if (result == 0) result = settle(batch, start_ns);
  batch->count = 0;
  const int packs = batch->direction == STOWAGE_PACK;
  const int class = result == 0
                        ? MPI_SUCCESS
                        : gpu_failed(packs ? "packing a device buffer" : "unpacking into a device buffer", result);
  context_leave();
  batch->context = NULL;
  return class;
}

static int is_full(const struct batch *batch, const struct gpu_place *place) {
  return batch->context != NULL &&
         (batch->count == MOST_MOVES || !driver_is_same_place(&batch->moves[0].buffer->place, place));
}

struct gpu_packed packed_in(const struct gpu_staging *staging, size_t at) {
  return (struct gpu_packed){.near = staging->memory + at,
                             .near_address = staging->address == 0 ? 0 : staging->address + at};
}

static int add(struct batch *batch, const struct gpu_move *m) {
  int result;
  const int class = is_full(batch, &m->buffer->place) ? finish(batch) : MPI_SUCCESS;
  if (class != MPI_SUCCESS) return class;
  if (batch->context == NULL && (batch->context = context_enter(&m->buffer->place, &result)) == NULL)
    return gpu_failed("context of a device buffer", result);
  struct gpu_move *own = &batch->moves[batch->count];
  *own = *m;
  if (m->staging != NULL) {
    if (*m->staging == NULL) *m->staging = staging_take(batch->context, m->buffer->bytes, &result);
    if (*m->staging == NULL) return gpu_failed("pinned memory for a device buffer", result);
    own->packed = packed_in(*m->staging, 0);
  }
  batch->is_dense[batch->count] = buffer_is_dense(m->buffer);
  batch->kernels[batch->count++] = buffer_kernel(m->buffer);
  return MPI_SUCCESS;
}

int moves_run(enum stowage_direction direction, const struct gpu_move moves[], size_t count) {
  struct batch batch;
  int class = MPI_SUCCESS;
  batch.context = NULL;
  batch.direction = direction;
  batch.count = 0;
  for (size_t i = 0; i < count && class == MPI_SUCCESS; i++)
    if (bytes_of(&moves[i]) > 0) class = add(&batch, &moves[i]);
  const int last = finish(&batch);
  return class == MPI_SUCCESS ? last : class;
}

/* --- Begun, and not waited for --- */

int move_begin(struct gpu_context *context, enum stowage_direction direction, const struct gpu_move *m) {
  const stowage_kernel *kernel = buffer_kernel(m->buffer);
  if (buffer_is_dense(m->buffer)) return copy(context, direction, m);
  return kernel == NULL ? DRIVER_FAILED : launch_all(context, direction, m, &kernel, 1);
}

/* All of it, or no flag. */
static int begin_packing(struct gpu_context *context, const struct gpu_move moves[], size_t count) {
  const stowage_kernel *kernels[MOST_MOVES];
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++) {
    const int is_dense = buffer_is_dense(moves[i].buffer);
    kernels[i] = buffer_kernel(moves[i].buffer);
    if (is_dense) result = copy(context, STOWAGE_PACK, &moves[i]);
    else if (kernels[i] == NULL) result = DRIVER_FAILED;
  }
  return result != 0 ? result : launch_all(context, STOWAGE_PACK, moves, kernels, count);
}

int moves_begin(const struct gpu_move moves[], const struct gpu_flag flags[], size_t count) {
  const struct gpu_place *place = &moves[0].buffer->place;
  int result;
  for (size_t i = 1; i < count; i++)
    if (!driver_is_same_place(&moves[i].buffer->place, place)) return 0;
  struct gpu_context *context = context_enter(place, &result);
  if (context == NULL) return 0;
  result = begin_packing(context, moves, count);
  if (result == 0) result = driver_write_flags(flags, count, context->stream);
  context_leave();
  for (size_t i = 0; i < count && result == 0; i++)
    if (!buffer_is_dense(moves[i].buffer)) count_ours(STOWAGE_PACK, moves[i].length);
  return result == 0;
}
