/* Messages that are over when the call returns: what they take is the call's. */
#include <mpi.h>

#include "failure.h"
#include "hook.h"
#include "message.h"
#include "pending.h"
#include "predefined.h"
#include "watch.h"

static int sends(__typeof__(MPI_Send) *next, struct gpu_message *m, int tag) {
  pending_flush();
  const int class = message_start(m);
  if (class != MPI_SUCCESS) return gpu_raise(m->communicator, class);
  const int status = BEHIND(next(m->given.memory, m->given.count, m->given.type, m->peer, tag, m->communicator));
  const int sent = message_sent(m, status == MPI_SUCCESS);
  message_release(m);
  return sent == MPI_SUCCESS ? status : gpu_raise(m->communicator, sent);
}

#define SENDS(name, is_buffered)                                                                           \
  HOOKED(name, (const void *user, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator), \
         (user, count, type, peer, tag, communicator)) {                                                   \
    struct gpu_message m;                                                                                  \
    const struct gpu_call call = {user, count, type, peer, communicator, 1, 0, is_buffered};               \
    if (gpu_maybe() && message_is_sent(&call, &m)) return sends(next, &m, tag);                            \
    return next(user, count, type, peer, tag, communicator);                                               \
  }

SENDS(Send, 0)
SENDS(Ssend, 0)
SENDS(Rsend, 0)
SENDS(Bsend, 1)

/* What has arrived goes to its place, if the call did well. */
static int arrived(struct gpu_message *m, int status, const MPI_Status *told, MPI_Comm communicator) {
  const size_t bytes = status == MPI_SUCCESS ? bytes_of(told) : 0;
  const int class = messages_arrived(&m, &bytes, 1);
  message_release(m);
  return class == MPI_SUCCESS ? status : gpu_raise(communicator, class);
}

/* Where the program asks for no status, one of ours. */
#define TOLD(status) (status == MPI_STATUS_IGNORE ? &(MPI_Status){0} : status)

HOOKED(Recv, (void *user, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator, MPI_Status *status),
       (user, count, type, peer, tag, communicator, status)) {
  struct gpu_message m;
  const struct gpu_call call = {user, count, type, peer, communicator, 1, 0, 0};
  if (!gpu_maybe() || !message_is_received(&call, &m)) return next(user, count, type, peer, tag, communicator, status);
  MPI_Status *told = TOLD(status);
  pending_flush();
  const int class = message_start(&m);
  if (class != MPI_SUCCESS) return gpu_raise(communicator, class);
  return arrived(&m, BEHIND(next(m.given.memory, m.given.count, m.given.type, peer, tag, communicator, told)), told,
                 communicator);
}

/* A message tells of no communicator. */
HOOKED(Mrecv, (void *user, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),
       (user, count, type, message, status)) {
  struct gpu_message m;
  const struct gpu_call call = {user, count, type, MPI_ANY_SOURCE, PREDEFINED_WORLD, 1, 0, 1};
  if (!gpu_maybe() || !message_is_received(&call, &m)) return next(user, count, type, message, status);
  MPI_Status *told = TOLD(status);
  pending_flush();
  const int class = message_start(&m);
  if (class != MPI_SUCCESS) return gpu_raise(PREDEFINED_SELF, class);
  return arrived(&m, BEHIND(next(m.given.memory, m.given.count, m.given.type, message, told)), told, PREDEFINED_SELF);
}

/* --- Both at once: either side may be ours --- */

struct side {
  struct gpu_call call;
  int tag, is_ours;
  struct gpu_message message;
};

static struct side side_of(const void *user, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator) {
  return (struct side){.call = {user, count, type, peer, communicator, 1, 0, 0}, .tag = tag};
}

static int is_either_ours(struct side *out, struct side *in) {
  if (!gpu_maybe()) return 0;
  out->is_ours = message_is_sent(&out->call, &out->message);
  in->is_ours = message_is_received(&in->call, &in->message);
  return out->is_ours || in->is_ours;
}

/* What the MPI is given for the program's buffer. */
static int begin(struct side *side) {
  if (!side->is_ours) return MPI_SUCCESS;
  const int class = message_start(&side->message);
  if (class != MPI_SUCCESS) return side->is_ours = 0, class;
  side->call.user = side->message.given.memory;
  side->call.count = side->message.given.count;
  side->call.type = side->message.given.type;
  return MPI_SUCCESS;
}

static int exchanges(__typeof__(MPI_Sendrecv) *next, struct side *out, struct side *in, MPI_Comm communicator,
                     MPI_Status *told) {
  const struct gpu_call *to = &out->call, *from = &in->call;
  int code = MPI_SUCCESS, sent = MPI_SUCCESS;
  pending_flush();
  int class = begin(in);
  if (class == MPI_SUCCESS) class = begin(out);
  if (class == MPI_SUCCESS)
    code = BEHIND(next(to->user, (int)to->count, to->type, to->peer, out->tag, (void *)(uintptr_t)from->user,
                       (int)from->count, from->type, from->peer, in->tag, communicator, told));
  else out->is_ours = 0;
  if (out->is_ours) {
    sent = message_sent(&out->message, code == MPI_SUCCESS);
    message_release(&out->message);
  }
  if (class == MPI_SUCCESS) class = sent;
  if (class != MPI_SUCCESS && in->is_ours) message_release(&in->message);
  if (class != MPI_SUCCESS) return gpu_raise(communicator, class);
  return in->is_ours ? arrived(&in->message, code, told, communicator) : code;
}

HOOKED(Sendrecv,
       (const void *sent, int sent_count, MPI_Datatype sent_type, int to, int sent_tag, void *received,
        int received_count, MPI_Datatype received_type, int from, int received_tag, MPI_Comm communicator,
        MPI_Status *status),
       (sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type, from, received_tag,
        communicator, status)) {
  struct side out = side_of(sent, sent_count, sent_type, to, sent_tag, communicator);
  struct side in = side_of(received, received_count, received_type, from, received_tag, communicator);
  if (is_either_ours(&out, &in)) return exchanges(next, &out, &in, communicator, TOLD(status));
  return next(sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type, from, received_tag,
              communicator, status);
}

/* Of a device, what is sent is packed before anything is received, each in memory of its own: an exchange. On the host,
 * where an offer may come, elements of a predefined type are looked at where they are. */
HOOKED(Sendrecv_replace,
       (void *user, int count, MPI_Datatype type, int to, int sent_tag, int from, int received_tag,
        MPI_Comm communicator, MPI_Status *status),
       (user, count, type, to, sent_tag, from, received_tag, communicator, status)) {
  struct side out = side_of(user, count, type, to, sent_tag, communicator);
  struct side in = side_of(user, count, type, from, received_tag, communicator);
  if (!is_either_ours(&out, &in))
    return next(user, count, type, to, sent_tag, from, received_tag, communicator, status);
  MPI_Status *told = TOLD(status);
  const struct gpu_buffer *b = &in.message.buffer;
  if (out.is_ours || buffer_is_of_device(b) || !b->facts.is_dense)
    return exchanges(NEXT(MPI_Sendrecv), &out, &in, communicator, told);
  const int class = begin(&in);
  if (class != MPI_SUCCESS) return gpu_raise(communicator, class);
  return arrived(&in.message, BEHIND(next(user, count, type, to, sent_tag, from, received_tag, communicator, told)),
                 told, communicator);
}
