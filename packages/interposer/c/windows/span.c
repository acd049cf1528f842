#include "span.h"

#include "mode.h"
#include "next.h"
#include "predefined.h"
#include "store.h"
#include "window.h"

#include <limits.h>

/* A run of the MPI's takes as long as so many bytes side by side, or longer (docs/notes/2026-11-28-one-sided.md, "Gaps
 * at the target that is not shared"). */
enum { BYTES_IN_PLACE_OF_A_RUN = 8192 };

/* Where a type's elements lie. 0: beyond what an int counts. */
static int find_bounds(struct span *s) {
  const struct stowage_bounds *bounds = &stowage_move_at(s->elements.code.kernel, STORE_PACK)->source;
  int64_t last, bytes;
  if (__builtin_mul_overflow(s->elements.count - 1, bounds->extent, &last)) return 0;
  if (__builtin_add_overflow(last < 0 ? -last : last, bounds->true_extent, &bytes) || bytes > INT_MAX) return 0;
  s->first = bounds->true_lower_bound + (last < 0 ? last : 0);
  s->bytes = (size_t)bytes;
  return 1;
}

static int is_worth(const struct span *s) {
  const size_t run = s->elements.code.run_bytes, runs = run == 0 ? 0 : s->elements.bytes / run;
  return runs > 1 && s->bytes / BYTES_IN_PLACE_OF_A_RUN < runs;
}

static int make_type(int blocks, const int lengths[], const MPI_Aint places[], MPI_Datatype *type) {
  if (NEXT(PMPI_Type_create_hindexed)(blocks, lengths, places, PREDEFINED_BYTE, type) != MPI_SUCCESS) return 0;
  if (NEXT(PMPI_Type_commit)(type) == MPI_SUCCESS) return 1;
  NEXT(PMPI_Type_free)(type);
  return 0;
}

/* Two bytes of the elements with a gap between, which nobody looks at: whether the MPI asks for the addresses of both.
 * An error is the call's own, which comes to the same. */
static enum window_gets tried(const struct span *s, const struct transfer_call *call) {
  static unsigned char memory[2];
  const MPI_Aint places[2] = {s->first, s->first + (MPI_Aint)s->bytes - 1};
  const unsigned asked = mode_addresses_asked;
  enum window_gets gets = WINDOW_GETS_NOT_KNOWN;
  MPI_Datatype ends;
  if (!make_type(2, (const int[2]){1, 1}, places, &ends)) return gets;
  const MPI_Errhandler own = window_hold_errors(call->window);
  mode_compares = 1;
  const int status =
      NEXT(PMPI_Get)(memory, 2, PREDEFINED_BYTE, call->target, call->displacement, 1, ends, call->window);
  mode_compares = 0;
  window_let_errors_go(call->window, own);
  if (status == MPI_SUCCESS) gets = asked == mode_addresses_asked ? WINDOW_GETS_PACKED : WINDOW_GETS_RUNS;
  NEXT(PMPI_Type_free)(&ends);
  return gets;
}

static int goes_by_runs(const struct span *s, const struct transfer_call *call) {
  enum window_gets *known = window_gets_from(call->window, call->target), gets;
  if (known == NULL) return 0;
  gets = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (gets == WINDOW_GETS_NOT_KNOWN && s->bytes > 2) __atomic_store_n(known, gets = tried(s, call), __ATOMIC_RELAXED);
  return gets == WINDOW_GETS_RUNS;
}

int span_begin(struct span *s, const struct transfer_call *call, struct elements *own) {
  *s = (struct span){.elements = {NULL, call->target_count, call->target_type, .communicator = PREDEFINED_SELF}};
  const int has_gaps = elements_are_ours(&s->elements) && !s->elements.code.is_dense;
  const int is = has_gaps && elements_are_movable(own) && own->bytes == s->elements.bytes && find_bounds(s) &&
                 is_worth(s) && goes_by_runs(s, call) &&
                 make_type(1, (const int[1]){(int)s->bytes}, &s->first, &s->type);
  if (!is) s->bytes = 0;
  return is;
}

struct elements span_elements(const struct span *s, void *memory) {
  struct elements came = s->elements;
  came.user = (void *)((uintptr_t)memory - (uintptr_t)s->first);
  return came;
}

void span_free(struct span *s) {
  if (s->bytes > 0) NEXT(PMPI_Type_free)(&s->type);
}
