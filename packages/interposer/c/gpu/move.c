/* Packs and unpacks buffers of devices: those of one context together, by a launch, by the driver's copies, or run by run. */
#define _GNU_SOURCE 1
#include "buffer.h"

#include "counts.h"
#include "route-ipc.h"
#include "launch.h"
#include "route-pipelined.h"
#include "route-table.h"
#include "runs.h"
#include "mode.h"
#include "record.h"
#include "say.h"
#include "verify.h"

#include <stdlib.h>
#include <unistd.h>

enum { AT_A_TIME = 64 };

/* Buffers of one context, from when that is entered until their bytes have arrived. */
struct batch {
  struct device_context *context;
  enum stowage_direction direction;
  struct device_buffer *buffers[AT_A_TIME];
  size_t bytes[AT_A_TIME];
  const stowage_kernel *kernels[AT_A_TIME];
  size_t count;
};

static int from_far(const struct batch *batch, const struct device_buffer *b, void *near, size_t bytes) {
  const int result = stowage_cuda()->cuMemcpyDtoHAsync_v2(near, b->far, bytes, batch->context->stream);
  return result != 0 ? result : stowage_cuda()->cuStreamSynchronize(batch->context->stream);
}

static int to_far(const struct batch *batch, const struct device_buffer *b, const void *near) {
  const int result = stowage_cuda()->cuMemcpyHtoDAsync_v2(b->far, near, b->bytes, batch->context->stream);
  return result != 0 ? result : stowage_cuda()->cuStreamSynchronize(batch->context->stream);
}

/* Packed bytes on a device come to the host, and go back. */
static int far_by_runs(const struct batch *batch, size_t i) {
  const struct device_buffer *b = batch->buffers[i];
  unsigned char *near = malloc(b->bytes + 1);
  if (near == NULL) return STOWAGE_CUDA_OUT_OF_MEMORY;
  int result = batch->direction == STOWAGE_PACK ? runs_pack(batch->context, b, near) : from_far(batch, b, near, batch->bytes[i]);
  if (result == 0) result = batch->direction == STOWAGE_PACK ? to_far(batch, b, near) : runs_unpack(batch->context, b, near, batch->bytes[i]);
  free(near);
  return result;
}

static int by_runs(const struct batch *batch, size_t i) {
  const struct device_buffer *b = batch->buffers[i];
  if (b->far != 0) return far_by_runs(batch, i);
  if (batch->direction == STOWAGE_PACK) return runs_pack(batch->context, b, b->packed);
  return runs_unpack(batch->context, b, b->packed, batch->bytes[i]);
}

static struct device_range range_of(const struct batch *batch, size_t i) {
  const struct device_buffer *b = batch->buffers[i];
  const size_t done = batch->direction == STOWAGE_UNPACK ? pipeline_unpacked(b) : 0;
  const size_t most = b->pipeline == NULL || b->far != 0 ? 0 : device_piece_bytes(b->bytes);
  return (struct device_range){b, batch->kernels[i], done, batch->bytes[i] > done ? batch->bytes[i] - done : 0, most};
}

static int copy(const struct batch *batch, size_t i) {
  const struct device_range range = range_of(batch, i);
  return range.length == 0 ? 0 : device_copy(batch->context, batch->direction, &range);
}

static int launch(struct batch *batch) {
  struct device_range ranges[AT_A_TIME];
  size_t count = 0;
  for (size_t i = 0; i < batch->count; i++)
    if (batch->kernels[i] != NULL) ranges[count++] = range_of(batch, i);
  return count == 0 ? 0 : device_launch(batch->context, batch->direction, ranges, count);
}

/* A kernel that the driver does not take is not tried again: its bytes go run by run. */
static int move(struct batch *batch) {
  int result = launch(batch), slow = 0;
  if (result != 0) {
    SAY_ONCE("kernels for a device: expected the driver to launch them, got result %d: buffers are copied run by run", result);
    for (size_t i = 0; i < batch->count; i++) batch->kernels[i] = NULL;
    result = 0;
  }
  for (size_t i = 0; i < batch->count && result == 0; i++) {
    if (batch->buffers[i]->facts.is_dense) result = copy(batch, i);
    else if (batch->kernels[i] == NULL) slow = 1;
  }
  const int done = stowage_cuda()->cuStreamSynchronize(batch->context->stream);
  if (result == 0) result = done;
  for (size_t i = 0; i < batch->count && result == 0 && slow; i++)
    if (!batch->buffers[i]->facts.is_dense && batch->kernels[i] == NULL) result = by_runs(batch, i);
  return result;
}

static int compare(struct batch *batch, size_t i) {
  const struct device_buffer *b = batch->buffers[i];
  const struct verify_range range = {batch->kernels[i], b->count, 0, batch->bytes[i]};
  unsigned char *slow = malloc(2 * b->bytes + 1), *packed = b->far == 0 ? b->packed : slow + b->bytes;
  if (slow == NULL) return 0;
  int result = runs_pack(batch->context, b, slow);
  if (result == 0 && b->far != 0) result = from_far(batch, b, packed, batch->bytes[i]);
  const int differed = mode_paused;
  if (result == 0 && batch->direction == STOWAGE_PACK) verify_packed(&range, packed, slow);
  if (result == 0 && batch->direction == STOWAGE_UNPACK) verify_packed(&range, slow, packed);
  if (result == 0 && b->far != 0 && batch->direction == STOWAGE_PACK && mode_paused && !differed) result = to_far(batch, b, packed);
  free(slow);
  if (result == 0 && batch->direction == STOWAGE_UNPACK && mode_paused && !differed) return by_runs(batch, i);
  return result;
}

static int settle(struct batch *batch, int64_t start_ns) {
  int result = 0;
  for (size_t i = 0; i < batch->count && result == 0; i++) {
    const int ours = batch->kernels[i] != NULL;
    struct stowage_code *entry = batch->buffers[i]->facts.entry;
    if (ours && mode_verifies()) result = compare(batch, i);
    if (ours) count_ours(batch->bytes[i]);
    else if (!batch->buffers[i]->facts.is_dense) count_native(batch->bytes[i]);
    record_message(entry, batch->direction, (int64_t)batch->bytes[i], 0, 0, ours);
    if (start_ns != 0 && entry != NULL) record_packed(entry, batch->direction, start_ns, ours);
  }
  return result;
}

static int finish(struct batch *batch) {
  if (batch->count == 0) return MPI_SUCCESS;
  const int64_t start_ns = record_start();
  int result = move(batch);
  if (result == 0) result = settle(batch, start_ns);
  batch->count = 0;
  return result == 0 ? MPI_SUCCESS : device_failed(batch->direction == STOWAGE_PACK ? "packing a device buffer" : "unpacking into a device buffer", result);
}

/* Asked again: what was a device's when a receive began may have been freed since, and its context destroyed. */
int device_is_there(const struct device_buffer *b) {
  struct device_place now;
  const int is = device_holds(b->user + b->facts.true_lower, &now) || device_holds(b->user, &now);
  return is && now.context == b->place.context && now.ordinal == b->place.ordinal;
}

static int leave(struct batch *batch) {
  const int class = batch->context == NULL ? MPI_SUCCESS : finish(batch);
  if (batch->context != NULL) device_leave(batch->context);
  batch->context = NULL;
  return class;
}

/* Elements that lie side by side as they are packed: the driver's copies are as fast as any kernel. */
static int is_copy(const stowage_kernel *kernel) {
  const struct stowage_move *move = stowage_move(kernel, STORE_PACK);
  const struct stowage_bounds *bounds = &move->source;
  return move->direction == STOWAGE_COPY && bounds->extent == move->size && bounds->true_extent == move->size && bounds->true_lower_bound == 0;
}

int device_is_launched(const struct device_buffer *b) {
  return b->facts.is_dense || (device_type_kernel(&b->facts) != NULL && !__atomic_load_n(&mode_paused, __ATOMIC_RELAXED));
}

static int add(struct batch *batch, struct device_buffer *b, size_t bytes) {
  int class = MPI_SUCCESS, result;
  if (batch->context != NULL && (batch->buffers[0]->place.context != b->place.context || batch->buffers[0]->place.ordinal != b->place.ordinal ||
                                 batch->count == AT_A_TIME))
    class = leave(batch);
  if (class != MPI_SUCCESS) return class;
  if (batch->context == NULL && (batch->context = device_enter(&b->place, &result)) == NULL) return device_failed("context of a device buffer", result);
  const stowage_kernel *kernel = b->facts.is_dense ? NULL : device_type_kernel(&b->facts);
  if (kernel != NULL && is_copy(kernel)) b->facts.is_dense = 1;
  const int is_native = b->facts.is_dense || __atomic_load_n(&mode_paused, __ATOMIC_RELAXED);
  batch->buffers[batch->count] = b;
  batch->bytes[batch->count] = bytes;
  batch->kernels[batch->count++] = is_native ? NULL : kernel;
  return MPI_SUCCESS;
}

static int move_all(struct device_buffer *const buffers[], const size_t bytes[], size_t count, enum stowage_direction direction) {
  struct batch batch = {.direction = direction};
  int class = MPI_SUCCESS;
  for (size_t i = 0; i < count && class == MPI_SUCCESS; i++) {
    const size_t some = bytes == NULL ? buffers[i]->bytes : bytes[i] < buffers[i]->bytes ? bytes[i] : buffers[i]->bytes;
    if (some == 0) continue;
    if (buffers[i]->is_kept && !device_is_there(buffers[i])) {
      static const char gone[] = "stowage: a device buffer in use by a message: expected memory of its device, got it freed\n";
      if (write(STDERR_FILENO, gone, sizeof gone - 1) < 0) class = MPI_ERR_OTHER;
      class = MPI_ERR_BUFFER;
    } else {
      class = add(&batch, buffers[i], some);
    }
  }
  const int last = leave(&batch);
  return class == MPI_SUCCESS ? last : class;
}

int device_pack(struct device_buffer *const buffers[], size_t count) { return move_all(buffers, NULL, count, STOWAGE_PACK); }

static int write_flags(const struct device_context *context, const struct device_flag flags[], size_t count) {
  const struct stowage_cuda *cuda = stowage_cuda();
  struct stowage_cuda_memory_operation writes[AT_A_TIME] = {{0}};
  for (size_t i = 0; i < count; i++)
    writes[i] = (struct stowage_cuda_memory_operation){.kind = STOWAGE_CUDA_WRITE_32, .address = flags[i].address, .value = flags[i].value};
  if (count > 1 && cuda->cuStreamBatchMemOp_v2 != NULL) return cuda->cuStreamBatchMemOp_v2(context->stream, (unsigned)count, writes, 0);
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++)
    result = cuda->cuStreamWriteValue32_v2(context->stream, flags[i].address, flags[i].value, 0);
  return result;
}

/* All of it, or no flag. */
static int begin_packing(struct batch *batch) {
  int result = launch(batch);
  for (size_t i = 0; i < batch->count && result == 0; i++) {
    if (batch->buffers[i]->facts.is_dense) result = copy(batch, i);
    else if (batch->kernels[i] == NULL) result = STOWAGE_CUDA_ERROR_FIRST;
  }
  return result;
}

int device_pack_later(struct device_buffer *const buffers[], const struct device_flag flags[], size_t count) {
  struct batch batch = {.direction = STOWAGE_PACK};
  int class = MPI_SUCCESS;
  for (size_t i = 0; i < count && class == MPI_SUCCESS; i++) class = add(&batch, buffers[i], buffers[i]->bytes);
  int result = class != MPI_SUCCESS ? class : batch.count != count ? STOWAGE_CUDA_ERROR_FIRST : begin_packing(&batch);
  if (result == 0) result = write_flags(batch.context, flags, count);
  if (batch.context != NULL) device_leave(batch.context);
  for (size_t i = 0; i < count && result == 0; i++)
    if (!buffers[i]->facts.is_dense) count_ours(buffers[i]->bytes);
  return result == 0 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int device_synchronise(const struct device_buffer *b) {
  int result;
  struct device_context *context = device_enter(&b->place, &result);
  if (context == NULL) return result;
  result = stowage_cuda()->cuStreamSynchronize(context->stream);
  device_leave(context);
  return result;
}

int device_unpack(struct device_buffer *const buffers[], const size_t bytes[], size_t count) {
  struct device_buffer *own[AT_A_TIME] = {NULL};
  size_t lengths[AT_A_TIME] = {0}, some = 0;
  int class = MPI_SUCCESS;
  for (size_t i = 0; i < count; i++) {
    const int begun = direct_begin(buffers[i], bytes[i]);
    if (class == MPI_SUCCESS) class = begun;
    if (begun != MPI_SUCCESS || buffers[i]->is_host) continue;
    if (some == AT_A_TIME) {
      const int moved = move_all(own, lengths, some, STOWAGE_UNPACK);
      if (class == MPI_SUCCESS) class = moved;
      some = 0;
    }
    own[some] = buffers[i];
    lengths[some++] = bytes[i];
  }
  const int moved = move_all(own, lengths, some, STOWAGE_UNPACK);
  for (size_t i = 0; i < count; i++) {
    direct_end(buffers[i]);
    pipeline_restart(buffers[i]);
  }
  return class == MPI_SUCCESS ? moved : class;
}
