#include "staged.h"

#include "route-table.h"

struct gpu_move staged_move(const struct gpu_buffer *b, const struct gpu_staging *staging, size_t at) {
  struct gpu_move move = {.buffer = b, .length = b->bytes};
  move.packed.near = staging->memory + at;
  move.packed.near_address = staging->address == 0 ? 0 : staging->address + at;
  return move;
}

static int is_whole(enum route_name name, const void *context) {
  return (void)context, name == ROUTE_ONE_SHOT || name == ROUTE_DEVICE;
}

struct gpu_move staged_move_by_table(const struct gpu_buffer *b, const struct gpu_staging *staging, size_t at) {
  struct gpu_move move = staged_move(b, staging, at);
  move.is_by_scratch = route_table_find(b->bytes, buffer_block_bytes(b), is_whole, NULL) == ROUTE_DEVICE;
  return move;
}

int staged_give(struct gpu_message *m) {
  struct gpu_staging *staging;
  const int class = staging_take_at(&m->buffer.place, m->buffer.bytes, &staging);
  if (class != MPI_SUCCESS) return class;
  m->state = staging;
  m->given.memory = staging->memory;
  m->given.count = (MPI_Count)m->buffer.count;
  m->given.type = m->buffer.facts.packed;
  return MPI_SUCCESS;
}

int staged_begin(struct gpu_message *const messages[], size_t count, int is_by_scratch) {
  struct gpu_move moves[MOST_MOVES];
  size_t some = 0;
  for (size_t i = 0; i < count; i++) {
    if (messages[i]->direction == STOWAGE_UNPACK) continue;
    moves[some] = staged_move(&messages[i]->buffer, messages[i]->state, 0);
    moves[some++].is_by_scratch = is_by_scratch;
  }
  return moves_run(STOWAGE_PACK, moves, some);
}

int staged_arrived(struct gpu_message *m, size_t bytes, struct gpu_move *move, int is_by_scratch) {
  *move = staged_move(&m->buffer, m->state, 0);
  move->is_by_scratch = is_by_scratch;
  if (bytes < move->length) move->length = bytes;
  return MPI_SUCCESS;
}

void staged_release(struct gpu_message *m) { staging_give(m->state); }
