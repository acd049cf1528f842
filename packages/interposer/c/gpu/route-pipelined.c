/* Messages through host memory in pieces: a sent one is packed piece by piece, and the MPI is given what is packed
 * while the device goes on; of a received one what has come is unpacked while the rest is still coming. To the MPI they
 * are placeholders, whose bytes it asks for in the order of the stream. Other MPIs take a message whole. */
#include "counts.h"
#include "failure.h"
#include "mode.h"
#include "next.h"
#include "route-table.h"
#include "staged.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct pipeline {
  struct placeholder placeholder;
  const struct message *message;
  struct gpu_staging *staging;
  size_t piece_bytes;
  /* For a send that was begun: pinned memory whose first word the device counts packed pieces in, how many there are to
   * be, whether some never will be, and bytes that are known to be packed. */
  struct gpu_staging *counter;
  uint32_t pieces;
  int is_failed;
  size_t packed;
  /* For a receive: bytes that came in order, those that are unpacked, and whether the rest waits for the message's
   * end. */
  size_t came, unpacked;
  int is_stopped;
};

/* MPICH among one process, too, hands messages on whole. */
static int is_whole_among(MPI_Comm communicator) {
  int size = 1;
  return mode_chosen == MODE_UCX && (NEXT(PMPI_Comm_size)(communicator, &size) != MPI_SUCCESS || size == 1);
}

/* MPICH calls UCX's datatypes under a lock of all its calls, which whoever has entered a context takes for elements
 * that go run by run. */
static int is_asked_for(const struct message *m) {
  const enum mode mode = __atomic_load_n(&mode_chosen, __ATOMIC_ACQUIRE);
  int level = MPI_THREAD_MULTIPLE;
  if (mode != MODE_UCX) return mode == MODE_CONVERTOR;
  if (m->is_taken_whole || is_whole_among(m->communicator)) return 0;
  return NEXT(PMPI_Query_thread)(&level) == MPI_SUCCESS && level < MPI_THREAD_MULTIPLE;
}

static int supports(const struct message *m) {
  return driver_has_flags() && route_piece_bytes(m->buffer.bytes) < m->buffer.bytes && buffer_is_launched(&m->buffer) &&
         is_asked_for(m);
}

static struct gpu_move move_of(const struct pipeline *p, size_t first, size_t length) {
  struct gpu_move move = staged_move_by_table(&p->message->buffer, p->staging, 0);
  move.first = first;
  move.length = length;
  move.most = p->piece_bytes;
  return move;
}

/* --- Sends --- */

static atomic_uint *counter_of(const struct pipeline *p) { return (atomic_uint *)(void *)p->counter->memory; }

static int begin_in(struct gpu_context *context, struct pipeline *p) {
  const size_t bytes = p->message->buffer.bytes;
  int result = 0;
  if (p->counter == NULL) p->counter = staging_take(context, sizeof(atomic_uint), &result);
  if (p->counter == NULL || p->counter->address == 0) return DRIVER_OUT_OF_MEMORY;
  atomic_store(counter_of(p), 0);
  for (size_t first = 0; first < bytes && result == 0; first += p->piece_bytes) {
    const size_t left = bytes - first;
    const struct gpu_move move = move_of(p, first, left < p->piece_bytes ? left : p->piece_bytes);
    result = move_begin(context, STOWAGE_PACK, &move);
    const struct gpu_flag flag = {p->counter->address, ++p->pieces};
    if (result == 0) result = driver_write_flags(&flag, 1, context->stream);
  }
  return result;
}

/* 0: it is to be packed whole, behind whatever was begun. */
static int begin_one(struct pipeline *p) {
  const struct gpu_buffer *b = &p->message->buffer;
  int result;
  p->is_failed = 0;
  p->pieces = 0;
  p->packed = b->bytes;
  if (moves_are_watched() || !buffer_is_launched(b)) return 0;
  struct gpu_context *context = context_enter(&b->place, &result);
  if (context == NULL) return 0;
  result = begin_in(context, p);
  context_leave();
  if (result != 0) return 0;
  p->packed = 0;
  if (!buffer_is_dense(b)) count_ours(STOWAGE_PACK, b->bytes);
  return 1;
}

static void look(struct pipeline *p) {
  const size_t pieces = atomic_load_explicit(counter_of(p), memory_order_acquire), bytes = pieces * p->piece_bytes,
               all = p->message->buffer.bytes;
  p->packed = pieces >= p->pieces || bytes > all ? all : bytes;
}

enum { SPINS = 1 << 14 };

/* Waits until the first `end` bytes are packed; 0: they never will be. */
static int awaits(struct pipeline *p, size_t end) {
  for (int spins = 0; p->packed < end && spins < SPINS; spins++) {
    look(p);
    if (p->packed < end) __builtin_ia32_pause();
  }
  if (p->packed >= end || p->is_failed) return !p->is_failed;
  const int result = context_synchronise(&p->message->buffer.place);
  if (result != 0) gpu_failed("packing a device buffer", result);
  p->is_failed = result != 0;
  p->packed = p->message->buffer.bytes;
  return !p->is_failed;
}

static void give_bytes(struct placeholder *placeholder, size_t first, void *packed, size_t length) {
  struct pipeline *p = (struct pipeline *)(void *)placeholder;
  if (awaits(p, first + length)) memcpy(packed, p->staging->memory + first, length);
  else memset(packed, 0, length);
}

/* --- Receives --- */

static void begin_anew(struct pipeline *p) {
  p->came = p->unpacked = 0;
  p->is_stopped = 0;
}

/* What cannot be begun here is tried again, and told, at the message's end. */
static void unpack_to(struct pipeline *p, size_t end) {
  const struct gpu_buffer *b = &p->message->buffer;
  int result;
  p->is_stopped = 1;
  if (!buffer_is_there(b) || !buffer_is_launched(b)) return;
  struct gpu_context *context = context_enter(&b->place, &result);
  if (context == NULL) return;
  const struct gpu_move move = move_of(p, p->unpacked, end - p->unpacked);
  p->is_stopped = move_begin(context, STOWAGE_UNPACK, &move) != 0;
  context_leave();
  if (!p->is_stopped) p->unpacked = end;
}

/* Fragments may come out of order, where the MPI has several ways to a process: then the rest waits. The last piece is
 * unpacked with other messages that end in the same call. */
static void take_bytes(struct placeholder *placeholder, size_t first, const void *packed, size_t length) {
  struct pipeline *p = (struct pipeline *)(void *)placeholder;
  memcpy(p->staging->memory + first, packed, length);
  if (first != p->came) p->is_stopped = 1;
  p->came += length;
  if (p->is_stopped || moves_are_watched() || p->came >= p->message->buffer.bytes ||
      p->came - p->unpacked < p->piece_bytes)
    return;
  unpack_to(p, p->came / p->piece_bytes * p->piece_bytes);
}

/* --- The route --- */

static int give(struct message *m) {
  struct pipeline *p = calloc(1, sizeof *p);
  if (p == NULL) return ROUTE_NOT_NOW;
  *p = (struct pipeline){.placeholder = {give_bytes, take_bytes},
                         .message = m,
                         .piece_bytes = route_piece_bytes(m->buffer.bytes),
                         .packed = m->buffer.bytes};
  const int class = staging_take_at(&m->buffer.place, m->buffer.bytes, &p->staging);
  if (class == MPI_SUCCESS && p->staging->address != 0 && give_placeholder(m, &p->placeholder))
    return m->state = p, MPI_SUCCESS;
  staging_give(p->staging);
  free(p);
  return class == MPI_SUCCESS ? ROUTE_NOT_NOW : class;
}

static int begin(struct message *const messages[], size_t count) {
  struct gpu_move whole[MOST_MOVES];
  size_t some = 0;
  for (size_t i = 0; i < count; i++) {
    struct pipeline *p = messages[i]->state;
    if (messages[i]->direction == STOWAGE_UNPACK) begin_anew(p);
    else if (!begin_one(p)) whole[some++] = move_of(p, 0, messages[i]->buffer.bytes);
  }
  return moves_run(STOWAGE_PACK, whole, some);
}

static int sent(struct message *m, int is_well) {
  (void)is_well;
  return awaits(m->state, m->buffer.bytes) ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static int arrived(struct message *m, size_t bytes, struct gpu_move *move) {
  const struct pipeline *p = m->state;
  if (bytes > m->buffer.bytes) bytes = m->buffer.bytes;
  /* Nothing may be under way when a message that was lost behind its first pieces begins anew. */
  if (bytes == 0 && p->unpacked > 0) context_synchronise(&m->buffer.place);
  const size_t unpacked = bytes == 0 ? 0 : p->unpacked;
  *move = move_of(p, unpacked, bytes > unpacked ? bytes - unpacked : 0);
  return MPI_SUCCESS;
}

static void taken(struct message *m) { begin_anew(m->state); }

/* Nothing of it is under way when it returns. */
static void release(struct message *m) {
  struct pipeline *p = m->state;
  if (m->direction == STOWAGE_PACK) sent(m, 0);
  if (p->unpacked > 0) context_synchronise(&m->buffer.place);
  staging_give(p->counter);
  staging_give(p->staging);
  free(p);
}

const struct route route_pipelined = {"pipelined", supports, give, begin, sent, arrived, taken, release};
