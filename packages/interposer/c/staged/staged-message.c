#include "staged-message.h"

#include "counts.h"
#include "next.h"
#include "predefined.h"
#include "route-packed.h"
#include "staged-elements.h"
#include "store.h"

/* Whether elements lie as they are packed: the MPI sends them as fast as any bytes. */
static int is_side_by_side(const stowage_kernel *kernel) {
  const struct stowage_move *move = stowage_move_at(kernel, STORE_PACK);
  const struct stowage_bounds *bounds = &move->source;
  return bounds->true_extent == move->size && bounds->extent == move->size;
}

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

static int is_ours(const struct call *call, enum stowage_direction direction, struct message *m) {
  struct type_code code = {0};
  size_t bytes;
  if (!is_message(call)) return 0;
  if (!types_find(call->type, &code)) {
    if (code.entry != NULL) count_without_code(call, direction);
    return 0;
  }
  if (is_side_by_side(code.kernel) || code.size_bytes == 0) return 0;
  if (__builtin_mul_overflow((size_t)call->count, code.size_bytes, &bytes)) return 0;
  if (direction == STOWAGE_PACK && !staged_elements_arrive(code.period_bytes)) return count_native(direction, bytes), 0;
  m->buffer = (struct gpu_buffer){.user = (unsigned char *)(uintptr_t)call->user,
                                  .count = (size_t)call->count,
                                  .bytes = bytes,
                                  .type = call->type,
                                  .place = {NULL, -1}};
  message_describe(m, call, direction);
  m->code = code;
  m->route = &route_packed;
  return 1;
}

int staged_is_sent(const struct call *call, struct message *m) { return is_ours(call, STOWAGE_PACK, m); }
int staged_is_received(const struct call *call, struct message *m) { return is_ours(call, STOWAGE_UNPACK, m); }
