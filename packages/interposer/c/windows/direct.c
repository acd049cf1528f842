#include "direct.h"

#include "below.h"
#include "mode.h"
#include "next.h"
#include "packing-memory.h"
#include "predefined.h"
#include "window.h"

#include <stdint.h>
#include <string.h>

/* When the MPI moves puts, and gets: found out once, by a transfer that changes a byte. */
enum when { NOT_KNOWN, IN_THE_CALL, LATER };
static enum when moved[2];

static MPI_Count size_of(MPI_Datatype type) {
  MPI_Count size = 0;
  return NEXT(PMPI_Type_size_x)(type, &size) == MPI_SUCCESS ? size : 0;
}

/* Elements without gaps need no code. */
static int is_side(struct elements *e) {
  if (e->count <= 0) return 0;
  if (!types_are_dense(e->type)) return elements_are_ours(e);
  e->code = (struct type_code){.size_bytes = (size_t)size_of(e->type), .is_dense = 1};
  return !__builtin_mul_overflow((size_t)e->count, e->code.size_bytes, &e->bytes);
}

/* Between elements of one type Open MPI packs nothing, and copies run by run: that is as fast for runs of so many bytes
 * in the mean (docs/notes/2026-11-28-one-sided.md, "Straight into windows of one host"). */
enum { LONG_RUN_OF_ONE_TYPE = 64 };

static int is_copied_as_fast(const struct elements *from, const struct elements *to) {
  return from->type == to->type && from->code.run_bytes >= LONG_RUN_OF_ONE_TYPE && mpi_below() == FAMILY_OPEN_MPI;
}

static int is_for_us(const struct direct *d) {
  const struct elements *from = &d->from, *to = &d->to;
  if (from->bytes != to->bytes || from->bytes == 0 || (from->code.is_dense && to->code.is_dense)) return 0;
  return !is_copied_as_fast(from, to);
}

/* Packed, but no message. */
static void look(const struct elements *e, unsigned char *packed) {
  if (e->code.is_dense) memcpy(packed, e->user, e->bytes);
  else elements_copy(e, packed);
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
  look(&d->from, d->memory);
  look(&d->to, d->memory + bytes);
  d->is_trial = memcmp(d->memory, d->memory + bytes, bytes) != 0;
  if (!d->is_trial) give(d);
  else elements_stay_native(d->direction == STOWAGE_PACK ? &d->from : &d->to, d->direction);
  return d->is_trial;
}

static void trial_over(const struct direct *d) {
  const size_t bytes = d->from.bytes;
  look(&d->to, d->memory + bytes);
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
  struct elements origin = {(void *)(uintptr_t)call->user, call->count, call->type, PREDEFINED_SELF, {0}, 0};
  struct elements target = {NULL, call->target_count, call->target_type, PREDEFINED_SELF, {0}, 0};
  if (when == LATER || !mode_packs() || !(has_gaps(call->type) || has_gaps(call->target_type))) return 0;
  target.user = window_address(call->window, call->target, call->displacement);
  if (target.user == NULL || !is_side(&origin) || !is_side(&target)) return 0;
  *d = (struct direct){is_put ? origin : target, is_put ? target : origin, call->direction, 0, NULL, 0};
  if (!is_for_us(d)) return 0;
  if (when == NOT_KNOWN) return begin_trial(d);
  return d->from.code.is_dense || d->to.code.is_dense || take(d, elements_move_room(&d->from));
}

static void move(const struct direct *d) {
  const struct elements *from = &d->from, *to = &d->to;
  if (from->code.is_dense) elements_unpack(to, from->user, to->bytes);
  else if (to->code.is_dense) elements_pack(from, to->user);
  else elements_move(from, to, d->memory);
}

int direct_over(const struct direct *d, int status) {
  if (status == MPI_SUCCESS && d->is_trial) trial_over(d);
  else if (status == MPI_SUCCESS) move(d);
  give(d);
  return status;
}
