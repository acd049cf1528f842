/* Messages that are over when the call returns: the staging memory is the call's. */
#include <mpi.h>

#include "route-ipc.h"
#include "operation.h"
#include "pending.h"
#include "route-pipelined.h"
#include "hook.h"
#include "predefined.h"

static int packed(struct device_buffer *b) {
  const int class = device_stage(b);
  return class == MPI_SUCCESS ? pipeline_send(b) : class;
}

static int sends(__typeof__(MPI_Send) *next, struct device_buffer *b, int peer, int tag, MPI_Comm communicator) {
  pending_flush();
  const int class = direct_send(b, peer, communicator) ? MPI_SUCCESS : packed(b);
  const int status = class != MPI_SUCCESS ? device_raise(communicator, class)
                                          : BEHIND(next(b->given.memory, b->given.count, b->given.type, peer, tag, communicator));
  if (status != MPI_SUCCESS) direct_drop(b);
  const int sent = class == MPI_SUCCESS ? direct_sent(b) : MPI_SUCCESS;
  device_release(b);
  return sent == MPI_SUCCESS ? status : device_raise(communicator, sent);
}

#define SENDS(name, buffers)                                                                               \
  PASSES(name, device_may_be(),                                                                            \
         (const void *user, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator),       \
         (user, count, type, peer, tag, communicator)) {                                                   \
    struct device_buffer b;                                                                                \
    if (device_maybe() && is_outermost() && peer != MPI_PROC_NULL && device_takes(user, count, type, &b)) {  \
      b.is_whole = buffers;                                                                                \
      return sends(NEXT(name), &b, peer, tag, communicator);                                               \
    }                                                                                                      \
    return NEXT(name)(user, count, type, peer, tag, communicator);                                         \
  }

SENDS(MPI_Send, 0)
SENDS(PMPI_Send, 0)
SENDS(MPI_Ssend, 0)
SENDS(PMPI_Ssend, 0)
SENDS(MPI_Rsend, 0)
SENDS(PMPI_Rsend, 0)
SENDS(MPI_Bsend, 1)
SENDS(PMPI_Bsend, 1)

/* What has arrived goes to its place, if the call did well. */
static int arrived(struct device_buffer *b, int status, const MPI_Status *told, MPI_Comm communicator) {
  const size_t bytes = status == MPI_SUCCESS ? bytes_of(told) : 0;
  const int class = device_unpack(&b, &bytes, 1);
  device_release(b);
  return class == MPI_SUCCESS ? status : device_raise(communicator, class);
}

static int receives(__typeof__(MPI_Recv) *next, struct device_buffer *b, int peer, int tag, MPI_Comm communicator, MPI_Status *status) {
  pending_flush();
  MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
  const int class = b->is_host ? MPI_SUCCESS : device_stage(b);
  if (class != MPI_SUCCESS) return device_raise(communicator, class);
  if (!b->is_host) direct_receive(b, peer, communicator);
  const int code = BEHIND(next(b->given.memory, b->given.count, b->given.type, peer, tag, communicator, told));
  return arrived(b, code, told, communicator);
}

#define RECEIVES(name)                                                                                              \
  PASSES(name, device_may_be(),                                                                                     \
         (void *user, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator, MPI_Status *status),  \
         (user, count, type, peer, tag, communicator, status)) {                                                    \
    struct device_buffer b;                                                                                         \
    if (device_maybe() && is_outermost() && peer != MPI_PROC_NULL &&                                                \
        (device_takes(user, count, type, &b) || direct_host_receive(user, count, type, peer, communicator, &b)))    \
      return receives(NEXT(name), &b, peer, tag, communicator, status);                                             \
    return NEXT(name)(user, count, type, peer, tag, communicator, status);                                          \
  }

RECEIVES(MPI_Recv)
RECEIVES(PMPI_Recv)

static int receives_matched(__typeof__(MPI_Mrecv) *next, struct device_buffer *b, MPI_Message *message, MPI_Status *status) {
  pending_flush();
  MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
  const int class = b->is_host ? MPI_SUCCESS : device_stage(b);
  if (class != MPI_SUCCESS) return device_raise(PREDEFINED_SELF, class);
  b->is_whole = 1; /* a message tells of no communicator */
  if (!b->is_host) direct_receive(b, MPI_ANY_SOURCE, PREDEFINED_WORLD);
  const int code = BEHIND(next(b->given.memory, b->given.count, b->given.type, message, told));
  return arrived(b, code, told, PREDEFINED_SELF);
}

#define RECEIVES_MATCHED(name)                                                                  \
  PASSES(name, device_may_be(),                                                                 \
         (void *user, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),  \
         (user, count, type, message, status)) {                                                \
    struct device_buffer b;                                                                     \
    if (device_maybe() && is_outermost() &&                                                     \
        (device_takes(user, count, type, &b) ||                                                 \
         direct_host_receive(user, count, type, MPI_ANY_SOURCE, PREDEFINED_WORLD, &b)))         \
      return receives_matched(NEXT(name), &b, message, status);                                 \
    return NEXT(name)(user, count, type, message, status);                                      \
  }

RECEIVES_MATCHED(MPI_Mrecv)
RECEIVES_MATCHED(PMPI_Mrecv)

/* --- Both at once: either side may lie on a device --- */

struct side {
  void *user;
  int count;
  MPI_Datatype type;
  int peer, tag;
  /* Where it lies on a device. */
  int is_device;
  struct device_buffer buffer;
};

static int is_device(struct side *side) {
  return side->is_device = side->peer != MPI_PROC_NULL && device_takes(side->user, side->count, side->type, &side->buffer);
}

static void is_given(struct side *side) {
  side->user = side->buffer.given.memory;
  side->count = side->buffer.given.count;
  side->type = side->buffer.given.type;
}

static int is_host(struct side *side, MPI_Comm communicator) {
  return !side->is_device && side->peer != MPI_PROC_NULL &&
         direct_host_receive(side->user, side->count, side->type, side->peer, communicator, &side->buffer);
}

static int stage_out(struct side *out, MPI_Comm communicator) {
  if (!out->is_device) return MPI_SUCCESS;
  const int class = direct_send(&out->buffer, out->peer, communicator) ? MPI_SUCCESS : packed(&out->buffer);
  is_given(out);
  return class;
}

static int stage_in(struct side *in, MPI_Comm communicator) {
  const int class = in->is_device ? device_stage(&in->buffer) : MPI_SUCCESS;
  if (in->is_device && class == MPI_SUCCESS) direct_receive(&in->buffer, in->peer, communicator);
  if (in->is_device || in->buffer.is_host) is_given(in);
  return class;
}

static int exchanges(__typeof__(MPI_Sendrecv) *next, struct side *out, struct side *in, MPI_Comm communicator, MPI_Status *status) {
  pending_flush();
  MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
  const int receives = in->is_device || in->buffer.is_host;
  int class = stage_in(in, communicator), code = MPI_SUCCESS;
  if (class == MPI_SUCCESS) class = stage_out(out, communicator);
  if (class == MPI_SUCCESS)
    code = BEHIND(next(out->user, out->count, out->type, out->peer, out->tag, in->user, in->count, in->type, in->peer, in->tag,
                       communicator, told));
  if (out->is_device) device_release(&out->buffer);
  if (class != MPI_SUCCESS && receives) device_release(&in->buffer);
  if (class != MPI_SUCCESS) return device_raise(communicator, class);
  return receives ? arrived(&in->buffer, code, told, communicator) : code;
}

#define EXCHANGES(name)                                                                                                            \
  PASSES(name, device_may_be(),                                                                                                    \
         (const void *sent, int sent_count, MPI_Datatype sent_type, int to, int sent_tag, void *received,                          \
          int received_count, MPI_Datatype received_type, int from, int received_tag, MPI_Comm communicator, MPI_Status *status),  \
         (sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type, from, received_tag,                  \
          communicator, status)) {                                                                                                 \
    if (device_maybe() && is_outermost()) {                                                                                        \
      struct side out = {(void *)(uintptr_t)sent, sent_count, sent_type, to, sent_tag, 0, {0}};                                    \
      struct side in = {received, received_count, received_type, from, received_tag, 0, {0}};                                      \
      if (is_device(&out) | is_device(&in) | is_host(&in, communicator))                                                           \
        return exchanges(NEXT(name), &out, &in, communicator, status);                                                             \
    }                                                                                                                              \
    return NEXT(name)(sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type, from,                    \
          received_tag,                                                                                                            \
                      communicator, status);                                                                                       \
  }

EXCHANGES(MPI_Sendrecv)
EXCHANGES(PMPI_Sendrecv)

/* Of a device, what is sent is packed before anything is received, each in memory of its own: an exchange. On the host, where an offer may
 * come, elements of a predefined type are looked at where they are. */
static int replaces_on_host(__typeof__(MPI_Sendrecv_replace) *next, struct side *out, struct side *in, MPI_Comm communicator, MPI_Status *status) {
  MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
  if (in->buffer.envelope != NULL) return exchanges(NEXT(MPI_Sendrecv), out, in, communicator, status);
  const int code = BEHIND(next(in->user, in->count, in->type, out->peer, out->tag, in->peer, in->tag, communicator, told));
  return arrived(&in->buffer, code, told, communicator);
}

#define REPLACES(name)                                                                                 \
  PASSES(name, device_may_be(),                                                                        \
         (void *user, int count, MPI_Datatype type, int to, int sent_tag, int from, int received_tag,  \
          MPI_Comm communicator, MPI_Status *status),                                                  \
         (user, count, type, to, sent_tag, from, received_tag, communicator, status)) {                \
    if (device_maybe() && is_outermost()) {                                                            \
      struct side out = {user, count, type, to, sent_tag, 0, {0}};                                     \
      struct side in = {user, count, type, from, received_tag, 0, {0}};                                \
      if (is_device(&out) | is_device(&in)) return exchanges(NEXT(MPI_Sendrecv), &out, &in, communicator, status);  \
      if (is_host(&in, communicator)) return replaces_on_host(NEXT(name), &out, &in, communicator, status);  \
    }                                                                                                  \
    return NEXT(name)(user, count, type, to, sent_tag, from, received_tag, communicator, status);      \
  }

REPLACES(MPI_Sendrecv_replace)
REPLACES(PMPI_Sendrecv_replace)
