#include "staged-message.h"

#include "counts.h"
#include "next.h"
#include "predefined.h"
#include "record.h"
#include "staged-routes.h"
#include "staged-elements.h"
#include "staged-hosts.h"

/* A type without code is asked of the MPI. */
static void count_without_code(const struct call *call, enum stowage_direction direction) {
  MPI_Count size = 0, lower, extent = 0;
  if (NEXT(PMPI_Type_size_x)(call->type, &size) != MPI_SUCCESS || size <= 0) return;
  if (NEXT(PMPI_Type_get_true_extent_x)(call->type, &lower, &extent) != MPI_SUCCESS || size == extent) return;
  count_native(direction, (uint64_t)(size * call->count));
}

/* What the MPI would refuse is the MPI's. */
static int is_message(const struct call *call) {
  return call->count > 0 && call->peer != MPI_PROC_NULL && call->type != PREDEFINED_NO_TYPE &&
         call->communicator != PREDEFINED_NULL;
}

void staged_stays_native(struct stowage_code *entry, enum stowage_direction direction, size_t bytes) {
  count_native(direction, bytes);
  record_message(entry, direction, (int64_t)bytes, 0, 0, 0);
}

static int is_ours(const struct call *call, enum stowage_direction direction, struct message *m) {
  struct type_code code = {0};
  size_t bytes;
  if (!is_message(call)) return 0;
  if (!types_find(call->type, &code)) {
    if (code.entry != NULL) count_without_code(call, direction);
    return 0;
  }
  if (code.is_dense || code.size_bytes == 0) return 0;
  if (__builtin_mul_overflow((size_t)call->count, code.size_bytes, &bytes)) return 0;
  const struct way_kind kind = {.bytes = bytes,
                                .shape = type_shape_of(&code),
                                .peers = staged_host_of(call->communicator, call->peer),
                                .is_persistent = call->is_persistent};
  struct way_choice *tried = NULL;
  const int may = direction == STOWAGE_UNPACK || staged_elements_arrive(code.period_bytes);
  const int is_staged = may && way_chosen(&kind, &tried) == SECOND_WAY;
  if (!is_staged && tried == NULL) return staged_stays_native(code.entry, direction, bytes), 0;
  m->buffer = buffer_on_host(call->user, call->count, bytes, call->type);
  message_describe(m, call, direction);
  m->code = code;
  m->choice = tried;
  m->route = is_staged ? &route_packed : &route_plain;
  return 1;
}

int staged_is_sent(const struct call *call, struct message *m) { return is_ours(call, STOWAGE_PACK, m); }
int staged_is_received(const struct call *call, struct message *m) { return is_ours(call, STOWAGE_UNPACK, m); }
