#include "staged-side.h"

#include "predefined.h"
#include "staged-elements.h"
#include "staged-hosts.h"
#include "staged-message.h"

struct elements staged_elements_of(const struct gpu_buffer *buffer, const struct type_code *code) {
  return (struct elements){.user = buffer->user,
                           .count = (MPI_Count)buffer->count,
                           .type = buffer->type,
                           .communicator = PREDEFINED_SELF,
                           .code = *code,
                           .bytes = buffer->bytes};
}

/* Sides without a gap stay native: the MPI sends them as fast as any bytes. */
int staged_side_is_chosen(const struct piece_list *list, enum stowage_direction direction, int is_sent,
                          struct way_choice **tried) {
  struct way_kind kind = {.peers = ALL_OF_A_CALL};
  struct stowage_code *entry = NULL;
  *tried = NULL;
  if (list->counts.all == NULL || list->places.all == NULL) return 0;
  for (size_t i = 0; i < list->count; i++) {
    const int64_t count = number_at(list->counts, i);
    struct type_code code;
    size_t bytes;
    if (count <= 0) continue;
    if (!types_are_movable(piece_type(list, i), &code)) return 0;
    if (__builtin_mul_overflow((size_t)count, code.size_bytes, &bytes)) return 0;
    if (__builtin_add_overflow(kind.bytes, bytes, &kind.bytes)) return 0;
    if (code.is_dense || bytes == 0) continue;
    if (is_sent && !staged_elements_arrive(code.period_bytes)) return 0;
    entry = code.entry;
    kind.shape = type_shape_of(&code);
  }
  if (entry == NULL) return 0;
  const int is_staged = way_chosen(&kind, tried) == SECOND_WAY;
  if (!is_staged) staged_stays_native(entry, direction, kind.bytes);
  return is_staged;
}
