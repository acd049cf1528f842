#include "staged.h"

#include "route-table.h"

struct gpu_move staged_move(const struct gpu_buffer *b, const struct gpu_staging *staging, size_t at) {
  return (struct gpu_move){.buffer = b, .packed = packed_in(staging, at), .length = b->bytes};
}

static int is_whole(enum route_name name, const void *context) {
  return (void)context, name == ROUTE_ONE_SHOT || name == ROUTE_DEVICE;
}

struct gpu_move staged_move_by_table(const struct gpu_buffer *b, const struct gpu_staging *staging, size_t at) {
  struct gpu_move move = staged_move(b, staging, at);
  move.is_by_scratch = route_table_find(b->bytes, buffer_block_bytes(b), is_whole, NULL) == ROUTE_DEVICE;
  return move;
}

static void keep(struct message *m, struct gpu_staging *staging) {
  m->state = staging;
  m->given.memory = staging == NULL ? NULL : staging->memory;
}

static void give_elements(struct message *m) {
  m->given.count = (MPI_Count)m->buffer.count;
  m->given.type = m->buffer.facts.packed;
}

int staged_give(struct message *m) {
  struct gpu_staging *staging;
  const int class = staging_take_at(&m->buffer.place, m->buffer.bytes, &staging);
  keep(m, staging);
  give_elements(m);
  return class;
}

int staged_promise(struct message *m) {
  if (m->direction == STOWAGE_UNPACK || m->is_persistent) return staged_give(m);
  keep(m, NULL);
  give_elements(m);
  return MPI_SUCCESS;
}

int staged_begin(struct message *const messages[], size_t count, int is_by_scratch) {
  struct gpu_staging *taken[MOST_MOVES];
  struct gpu_move moves[MOST_MOVES];
  size_t some = 0;
  for (size_t i = 0; i < count; i++) {
    struct message *m = messages[i];
    if (m->direction == STOWAGE_UNPACK) continue;
    taken[i] = m->state;
    moves[some++] = (struct gpu_move){
        .buffer = &m->buffer, .length = m->buffer.bytes, .is_by_scratch = is_by_scratch, .staging = &taken[i]};
  }
  const int class = some == 0 ? MPI_SUCCESS : moves_run(STOWAGE_PACK, moves, some);
  for (size_t i = 0; i < count; i++)
    if (messages[i]->direction == STOWAGE_PACK) keep(messages[i], taken[i]);
  return class;
}

int staged_arrived(struct message *m, size_t bytes, struct gpu_move *move, int is_by_scratch) {
  *move = staged_move(&m->buffer, m->state, 0);
  move->is_by_scratch = is_by_scratch;
  if (bytes < move->length) move->length = bytes;
  return MPI_SUCCESS;
}

void staged_release(struct message *m) { staging_give(m->state); }
