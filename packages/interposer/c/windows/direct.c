#include "direct.h"

#include "below.h"
#include "mode.h"
#include "packing-memory.h"
#include "predefined.h"
#include "window.h"

#include <stdint.h>
#include <string.h>

/* When the MPI moves puts, and gets: found out once, by a transfer that changes a byte. */
enum when { NOT_KNOWN, IN_THE_CALL, LATER };
static enum when moved[2];

static int is_copied_as_fast(const struct elements *from, const struct elements *to) {
  return from->type == to->type && from->code.run_bytes >= LONG_RUN_OF_ONE_TYPE && mpi_below() == FAMILY_OPEN_MPI;
}

static int is_for_us(const struct direct *d) {
  const struct elements *from = &d->from, *to = &d->to;
  if (from->bytes != to->bytes || from->bytes == 0 || (from->code.is_dense && to->code.is_dense)) return 0;
  return !is_copied_as_fast(from, to);
}

static int take(struct direct *d, size_t bytes) {
  d->memory_bytes = bytes;
  return (d->memory = packing_memory_take(&packing_of_accesses, bytes)) != NULL;
}

static void give(const struct direct *d) { packing_memory_give(&packing_of_accesses, d->memory, d->memory_bytes); }

/* 0: there is no memory, or both sides have the same bytes and tell nothing. */
static int begin_trial(struct direct *d) {
  const size_t bytes = d->from.bytes;
  if (!take(d, 2 * bytes)) return 0;
  elements_copy(&d->from, d->memory);
  elements_copy(&d->to, d->memory + bytes);
  d->is_trial = memcmp(d->memory, d->memory + bytes, bytes) != 0;
  if (!d->is_trial) give(d);
  else elements_stay_native(d->direction == STOWAGE_PACK ? &d->from : &d->to, d->direction);
  return d->is_trial;
}

static void trial_over(const struct direct *d) {
  const size_t bytes = d->from.bytes;
  elements_copy(&d->to, d->memory + bytes);
  const int is_there = memcmp(d->memory, d->memory + bytes, bytes) == 0;
  __atomic_store_n(&moved[d->direction], is_there ? IN_THE_CALL : LATER, __ATOMIC_RELAXED);
}

/* What is asked of every call: of most types, predefined ones, nothing is known. */
static int has_gaps(MPI_Datatype type) {
  struct type_code code;
  return types_find(type, &code) && !code.is_dense;
}

int direct_begin(struct direct *d, const struct transfer_call *call) {
  const enum when when = __atomic_load_n(&moved[call->direction], __ATOMIC_RELAXED);
  const int is_put = call->direction == STOWAGE_PACK;
  struct elements origin = {(void *)(uintptr_t)call->user, call->count, call->type, .communicator = PREDEFINED_SELF};
  struct elements target = {NULL, call->target_count, call->target_type, .communicator = PREDEFINED_SELF};
  if (when == LATER || !mode_packs() || !(has_gaps(call->type) || has_gaps(call->target_type))) return 0;
  target.user = window_address(call->window, call->target, call->displacement);
  if (target.user == NULL || !elements_are_movable(&origin) || !elements_are_movable(&target)) return 0;
  *d = (struct direct){is_put ? origin : target, is_put ? target : origin, call->direction, 0, NULL, 0};
  if (!is_for_us(d)) return 0;
  if (when == NOT_KNOWN) return begin_trial(d);
  const size_t room = elements_move_room(&d->from, &d->to);
  return room == 0 || take(d, room);
}

int direct_over(const struct direct *d, int status) {
  if (status == MPI_SUCCESS && d->is_trial) trial_over(d);
  else if (status == MPI_SUCCESS) elements_move(&d->from, &d->to, d->memory);
  give(d);
  return status;
}
