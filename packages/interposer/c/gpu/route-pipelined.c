#include "route-pipelined.h"

#include "counts.h"
#include "launch.h"
#include "route-table.h"
#include "mode.h"
#include "next.h"
#include "record.h"

#include <stdlib.h>
#include <string.h>

struct device_pipeline {
  /* As it was when the message began. */
  struct device_buffer buffer;
  size_t piece_bytes;
  /* Of a send that was begun: pinned memory whose first word the device counts packed pieces in, how many there are to be, whether some
   * never will be, and bytes that are known to be packed. */
  struct device_staging *counter;
  uint32_t pieces;
  int is_failed;
  size_t packed;
  /* Of a receive: bytes that came in order, those that are unpacked, and whether the rest waits for the message's end. */
  size_t came, unpacked;
  int is_stopped;
};

/* --- The route --- */

/* Whoever compares or records packs and unpacks by the same pieces, but waits for them. */
static int is_watched(void) { return mode_verifies() || record_wanted(); }

static size_t block_bytes(const struct device_buffer *b) {
  return b->facts.is_dense ? b->bytes : (size_t)stowage_gpu_block_bytes(device_type_kernel(&b->facts));
}

/* MPICH calls UCX's datatypes under a lock of all its calls, which whoever has entered a context takes for elements that go run by run. */
static int is_asked_for(const struct device_buffer *b) {
  const enum mode mode = __atomic_load_n(&mode_chosen, __ATOMIC_ACQUIRE);
  int level = MPI_THREAD_MULTIPLE;
  if (mode != MODE_UCX) return mode == MODE_CONVERTOR;
  return !b->is_whole && NEXT(PMPI_Query_thread)(&level) == MPI_SUCCESS && level < MPI_THREAD_MULTIPLE;
}

static int goes_in_pieces(const struct device_buffer *b) {
  if (b->staging->address == 0 || !device_is_launched(b)) return 0;
  if (stowage_cuda()->cuStreamWriteValue32_v2 == NULL || device_piece_bytes(b->bytes) >= b->bytes) return 0;
  return device_route_of_message(b->bytes, block_bytes(b)) == ROUTE_PIPELINED && is_asked_for(b);
}

static struct device_pipeline *made(struct device_buffer *b) {
  struct device_pipeline *p = calloc(1, sizeof *p);
  if (p == NULL) return NULL;
  p->piece_bytes = device_piece_bytes(b->bytes);
  p->buffer = *b;
  p->packed = b->bytes;
  return p;
}

/* One that the MPI has, or a new one. */
static int has_envelope(struct device_buffer *b, int is_sender) {
  return b->envelope != NULL || device_make_envelope(b, b->packed, is_sender);
}

static int is_there(const struct device_pipeline *p) { return !p->buffer.is_kept || device_is_there(&p->buffer); }

static int move(struct device_context *context, enum stowage_direction direction, const struct device_pipeline *p, size_t first, size_t length) {
  const struct device_buffer *b = &p->buffer;
  const struct device_range range = {b, b->facts.is_dense ? NULL : device_type_kernel(&b->facts), first, length, p->piece_bytes};
  if (b->facts.is_dense) return device_copy(context, direction, &range);
  return range.kernel == NULL ? STOWAGE_CUDA_ERROR_FIRST : device_launch(context, direction, &range, 1);
}

/* --- Sends --- */

void pipeline_keep(struct device_buffer *b) {
  if (b->pipeline != NULL || !goes_in_pieces(b) || !has_envelope(b, 1)) return;
  if ((b->pipeline = made(b)) != NULL) b->envelope->pipeline = b->pipeline;
}

static atomic_uint *counter_of(const struct device_pipeline *p) { return (atomic_uint *)(void *)p->counter->memory; }

static int begin_in(struct device_context *context, struct device_pipeline *p) {
  int result = 0;
  if (p->counter == NULL) p->counter = staging_take(context, sizeof(atomic_uint), &result);
  if (p->counter == NULL || p->counter->address == 0) return STOWAGE_CUDA_OUT_OF_MEMORY;
  atomic_store(counter_of(p), 0);
  for (size_t first = 0; first < p->buffer.bytes && result == 0; first += p->piece_bytes) {
    const size_t left = p->buffer.bytes - first;
    result = move(context, STOWAGE_PACK, p, first, left < p->piece_bytes ? left : p->piece_bytes);
    if (result == 0) result = stowage_cuda()->cuStreamWriteValue32_v2(context->stream, p->counter->address, ++p->pieces, 0);
  }
  return result;
}

/* 0: it is to be packed whole, behind whatever was begun. */
static int begin(struct device_buffer *b) {
  struct device_pipeline *p = b->pipeline;
  int result;
  p->buffer = *b;
  p->is_failed = 0;
  p->pieces = 0;
  p->packed = b->bytes;
  if (is_watched() || !is_there(p) || !device_is_launched(b)) return 0;
  struct device_context *context = device_enter(&b->place, &result);
  if (context == NULL) return 0;
  result = begin_in(context, p);
  device_leave(context);
  if (result != 0) return 0;
  p->packed = 0;
  if (!b->facts.is_dense) count_ours(b->bytes);
  return 1;
}

enum { AT_A_TIME = 64 };

int pipeline_pack(struct device_buffer *const buffers[], size_t count) {
  struct device_buffer *whole[AT_A_TIME];
  size_t some = 0;
  int class = MPI_SUCCESS;
  for (size_t i = 0; i < count && class == MPI_SUCCESS; i++) {
    if (buffers[i]->pipeline == NULL || !begin(buffers[i])) whole[some++] = buffers[i];
    if (some < AT_A_TIME) continue;
    class = device_pack(whole, some);
    some = 0;
  }
  return class == MPI_SUCCESS && some > 0 ? device_pack(whole, some) : class;
}

int pipeline_send(struct device_buffer *b) {
  pipeline_keep(b);
  return pipeline_pack(&b, 1);
}

static void look(struct device_pipeline *p) {
  const size_t pieces = atomic_load_explicit(counter_of(p), memory_order_acquire), bytes = pieces * p->piece_bytes;
  p->packed = pieces >= p->pieces || bytes > p->buffer.bytes ? p->buffer.bytes : bytes;
}

enum { SPINS = 1 << 14 };

int pipeline_awaits(struct device_pipeline *p, size_t end) {
  for (int spins = 0; p->packed < end && spins < SPINS; spins++) {
    look(p);
    if (p->packed < end) __builtin_ia32_pause();
  }
  if (p->packed >= end || p->is_failed) return !p->is_failed;
  const int result = device_synchronise(&p->buffer);
  if (result != 0) device_failed("packing a device buffer", result);
  p->is_failed = result != 0;
  p->packed = p->buffer.bytes;
  return !p->is_failed;
}

int pipeline_sent(struct device_buffer *b) {
  return b->pipeline == NULL || pipeline_awaits(b->pipeline, b->bytes) ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/* --- Receives --- */

void pipeline_receive(struct device_buffer *b) {
  if (!goes_in_pieces(b) || !has_envelope(b, 0)) return;
  if ((b->pipeline = made(b)) != NULL) b->envelope->pipeline = b->pipeline;
}

void pipeline_restart(struct device_buffer *b) {
  if (b->pipeline == NULL) return;
  b->pipeline->came = b->pipeline->unpacked = 0;
  b->pipeline->is_stopped = 0;
}

size_t pipeline_unpacked(const struct device_buffer *b) { return b->pipeline == NULL || b->far != 0 ? 0 : b->pipeline->unpacked; }

/* What cannot be begun here is tried again, and told, at the message's end. */
static void unpack_to(struct device_pipeline *p, size_t end) {
  int result;
  p->is_stopped = 1;
  if (!device_is_there(&p->buffer) || !device_is_launched(&p->buffer)) return;
  struct device_context *context = device_enter(&p->buffer.place, &result);
  if (context == NULL) return;
  p->is_stopped = move(context, STOWAGE_UNPACK, p, p->unpacked, end - p->unpacked) != 0;
  device_leave(context);
  if (!p->is_stopped) p->unpacked = end;
}

/* Fragments may come out of order, where the MPI has several ways to a process: then the rest waits. The last piece is unpacked with
 * other messages that end in the same call. */
void pipeline_came(struct device_pipeline *p, size_t first, size_t length) {
  if (first != p->came) p->is_stopped = 1;
  p->came += length;
  if (p->is_stopped || is_watched() || p->came >= p->buffer.bytes || p->came - p->unpacked < p->piece_bytes) return;
  unpack_to(p, p->came / p->piece_bytes * p->piece_bytes);
}

/* --- The end --- */

void pipeline_release(struct device_buffer *b) {
  struct device_pipeline *p = b->pipeline;
  if (p == NULL) return;
  pipeline_sent(b);
  if (p->unpacked > 0) device_synchronise(&p->buffer);
  staging_give(p->counter);
  free(p);
  b->pipeline = NULL;
}
