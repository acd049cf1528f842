/* Messages that are over when the call returns: the staging memory is the call's. */
#include <mpi.h>

#include "device-operation.h"
#include "hook.h"
#include "predefined.h"

static int packed(struct device_buffer *b) {
  const int class = device_stage(b);
  return class == MPI_SUCCESS ? device_pack(&b, 1) : class;
}

static int sends(__typeof__(MPI_Send) *next, struct device_buffer *b, int peer, int tag, MPI_Comm communicator) {
  const int class = packed(b);
  const int status = class != MPI_SUCCESS ? device_raise(communicator, class)
                                          : BEHIND(next(b->packed, (int)b->count, b->facts.packed, peer, tag, communicator));
  device_release(b);
  return status;
}

#define SENDS(name)                                                                                        \
  PASSES(name, device_may_be(),                                                                            \
         (const void *user, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator),       \
         (user, count, type, peer, tag, communicator)) {                                                   \
    struct device_buffer b;                                                                                \
    if (device_maybe() && is_outermost() && peer != MPI_PROC_NULL && device_takes(user, count, type, &b))  \
      return sends(NEXT(name), &b, peer, tag, communicator);                                               \
    return NEXT(name)(user, count, type, peer, tag, communicator);                                         \
  }

SENDS(MPI_Send)
SENDS(PMPI_Send)
SENDS(MPI_Ssend)
SENDS(PMPI_Ssend)
SENDS(MPI_Rsend)
SENDS(PMPI_Rsend)
SENDS(MPI_Bsend)
SENDS(PMPI_Bsend)

/* What has arrived goes to its place, if the call did well. */
static int arrived(struct device_buffer *b, int status, const MPI_Status *told, MPI_Comm communicator) {
  const size_t bytes = status == MPI_SUCCESS ? bytes_of(told) : 0;
  const int class = device_unpack(&b, &bytes, 1);
  device_release(b);
  return class == MPI_SUCCESS ? status : device_raise(communicator, class);
}

static int receives(__typeof__(MPI_Recv) *next, struct device_buffer *b, int peer, int tag, MPI_Comm communicator, MPI_Status *status) {
  MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
  const int class = device_stage(b);
  if (class != MPI_SUCCESS) return device_raise(communicator, class);
  const int code = BEHIND(next(b->packed, (int)b->count, b->facts.packed, peer, tag, communicator, told));
  return arrived(b, code, told, communicator);
}

#define RECEIVES(name)                                                                                              \
  PASSES(name, device_may_be(),                                                                                     \
         (void *user, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator, MPI_Status *status),  \
         (user, count, type, peer, tag, communicator, status)) {                                                    \
    struct device_buffer b;                                                                                         \
    if (device_maybe() && is_outermost() && peer != MPI_PROC_NULL && device_takes(user, count, type, &b))           \
      return receives(NEXT(name), &b, peer, tag, communicator, status);                                             \
    return NEXT(name)(user, count, type, peer, tag, communicator, status);                                          \
  }

RECEIVES(MPI_Recv)
RECEIVES(PMPI_Recv)

static int receives_matched(__typeof__(MPI_Mrecv) *next, struct device_buffer *b, MPI_Message *message, MPI_Status *status) {
  MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
  const int class = device_stage(b);
  if (class != MPI_SUCCESS) return device_raise(PREDEFINED_SELF, class);
  const int code = BEHIND(next(b->packed, (int)b->count, b->facts.packed, message, told));
  return arrived(b, code, told, PREDEFINED_SELF);
}

#define RECEIVES_MATCHED(name)                                                                  \
  PASSES(name, device_may_be(),                                                                 \
         (void *user, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),  \
         (user, count, type, message, status)) {                                                \
    struct device_buffer b;                                                                     \
    if (device_maybe() && is_outermost() && device_takes(user, count, type, &b))                \
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

static int stage(struct side *side) {
  const int class = side->is_device ? device_stage(&side->buffer) : MPI_SUCCESS;
  if (side->is_device && class == MPI_SUCCESS) {
    side->user = side->buffer.packed;
    side->type = side->buffer.facts.packed;
  }
  return class;
}

static int exchanges(__typeof__(MPI_Sendrecv) *next, struct side *out, struct side *in, MPI_Comm communicator, MPI_Status *status) {
  MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
  struct device_buffer *sent = &out->buffer;
  int class = stage(out), code = MPI_SUCCESS;
  if (class == MPI_SUCCESS) class = stage(in);
  if (class == MPI_SUCCESS && out->is_device) class = device_pack(&sent, 1);
  if (class == MPI_SUCCESS)
    code = BEHIND(next(out->user, out->count, out->type, out->peer, out->tag, in->user, in->count, in->type, in->peer, in->tag,
                       communicator, told));
  if (out->is_device) device_release(sent);
  if (class != MPI_SUCCESS && in->is_device) device_release(&in->buffer);
  if (class != MPI_SUCCESS) return device_raise(communicator, class);
  return in->is_device ? arrived(&in->buffer, code, told, communicator) : code;
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
      if (is_device(&out) | is_device(&in)) return exchanges(NEXT(name), &out, &in, communicator, status);                         \
    }                                                                                                                              \
    return NEXT(name)(sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type, from,                    \
          received_tag,                                                                                                            \
                      communicator, status);                                                                                       \
  }

EXCHANGES(MPI_Sendrecv)
EXCHANGES(PMPI_Sendrecv)

static int replaces(__typeof__(MPI_Sendrecv_replace) *next, struct device_buffer *b, int to, int sent_tag, int from, int received_tag,
                    MPI_Comm communicator, MPI_Status *status) {
  MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
  const int class = packed(b);
  if (class != MPI_SUCCESS) {
    device_release(b);
    return device_raise(communicator, class);
  }
  const int code =
      BEHIND(next(b->packed, (int)b->count, b->facts.packed, to, sent_tag, from, received_tag, communicator, told));
  if (from != MPI_PROC_NULL) return arrived(b, code, told, communicator);
  device_release(b);
  return code;
}

#define REPLACES(name)                                                                                 \
  PASSES(name, device_may_be(),                                                                        \
         (void *user, int count, MPI_Datatype type, int to, int sent_tag, int from, int received_tag,  \
          MPI_Comm communicator, MPI_Status *status),                                                  \
         (user, count, type, to, sent_tag, from, received_tag, communicator, status)) {                \
    struct device_buffer b;                                                                            \
    if (device_maybe() && is_outermost() && device_takes(user, count, type, &b))                       \
      return replaces(NEXT(name), &b, to, sent_tag, from, received_tag, communicator, status);         \
    return NEXT(name)(user, count, type, to, sent_tag, from, received_tag, communicator, status);      \
  }

REPLACES(MPI_Sendrecv_replace)
REPLACES(PMPI_Sendrecv_replace)
