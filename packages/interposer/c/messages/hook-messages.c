/* Messages that are over when the call returns: what they take is the call's. */
#include <mpi.h>

#include "counted.h"
#include "raise.h"
#include "hook.h"
#include "host-settle.h"
#include "operation.h"
#include "ours.h"
#include "pending.h"
#include "predefined.h"
#include "receives.h"

#include <stdlib.h>

/* What the MPI is given instead of the program's buffer, ready to be sent or received into. MPI_SUCCESS or a class. */
static int begin(struct message *m) {
  pending_flush();
  message_call_begins(m);
  return message_start(m);
}

/* The MPI's call is over, by a status. */
static int sent(struct message *m, int status) {
  const int class = message_sent(m, status == MPI_SUCCESS);
  message_call_ends(m);
  message_release(m);
  return class == MPI_SUCCESS ? status : mpi_raise(m->communicator, class);
}

#define SENDS(suffix, counts, places, name, begins, is_buffered)                                                       \
  HOOKED(name##suffix, (const void *user, counts count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator),  \
         (user, count, type, peer, tag, communicator)) {                                                               \
    struct message m;                                                                                                  \
    const struct call call = {user, count, type, peer, communicator, 1, 0, is_buffered};                               \
    if (!call_sends(&call, &m)) {                                                                                      \
      struct host_send past;                                                                                           \
      MPI_Request request;                                                                                             \
      if (is_buffered || HAS_PROFILER(name##suffix)) return next(user, count, type, peer, tag, communicator);          \
      const int goes_past = host_send_begin(&past, user, count, type, peer, communicator);                             \
      return host_send_over(                                                                                           \
          &past, !goes_past ? next(user, count, type, peer, tag, communicator)                                         \
                            : SENT_PAST_AND_WAITED(                                                                    \
                                  &past, &request,                                                                     \
                                  NEXT(PMPI_##begins##suffix)(user, count, type, peer, tag, communicator, &request))); \
    }                                                                                                                  \
    const int class = begin(&m);                                                                                       \
    if (class != MPI_SUCCESS) return mpi_raise(communicator, class);                                                   \
    return sent(&m, BEHIND(next(m.given.memory, (counts)m.given.count, m.given.type, peer, tag, communicator)));       \
  }

EACH_COUNT(SENDS, Send, Isend, 0)
EACH_COUNT(SENDS, Ssend, Issend, 0)
EACH_COUNT(SENDS, Rsend, Irsend, 0)
EACH_COUNT(SENDS, Bsend, Ibsend, 1)

/* What has arrived goes to its place, if the call did well. */
static int arrived(struct message *m, int status, const MPI_Status *told, MPI_Comm communicator) {
  const size_t bytes = status == MPI_SUCCESS ? bytes_of(told) : 0;
  const int class = messages_arrived(&m, &bytes, 1);
  message_call_ends(m);
  message_release(m);
  operations_sweep();
  return class == MPI_SUCCESS ? status : mpi_raise(communicator, class);
}

/* Where the program asks for no status, one of ours. */
#define TOLD(status) (status == MPI_STATUS_IGNORE ? &(MPI_Status){0} : status)

#define RECEIVES(suffix, counts, places, name)                                                                        \
  HOOKED(name##suffix,                                                                                                \
         (void *user, counts count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator, MPI_Status *status), \
         (user, count, type, peer, tag, communicator, status)) {                                                      \
    struct message m;                                                                                                 \
    const struct call call = {user, count, type, peer, communicator, 1, 0, 0};                                        \
    receive_seen(type, (size_t)count);                                                                                \
    if (!call_receives_or_tries(&call, &m))                                                                           \
      return operations_swept(next(user, count, type, peer, tag, communicator, status));                              \
    MPI_Status *told = TOLD(status);                                                                                  \
    const int class = begin(&m);                                                                                      \
    if (class != MPI_SUCCESS) return mpi_raise(communicator, class);                                                  \
    return arrived(&m,                                                                                                \
                   BEHIND(next(m.given.memory, (counts)m.given.count, m.given.type, peer, tag, communicator, told)),  \
                   told, communicator);                                                                               \
  }

EACH_COUNT(RECEIVES, Recv)

/* A message tells of no communicator. */
#define RECEIVES_MATCHED(suffix, counts, places, name)                                                          \
  HOOKED(name##suffix, (void *user, counts count, MPI_Datatype type, MPI_Message *message, MPI_Status *status), \
         (user, count, type, message, status)) {                                                                \
    struct message m;                                                                                           \
    const struct call call = {user, count, type, MPI_ANY_SOURCE, PREDEFINED_WORLD, 1, 0, 1};                    \
    if (!call_receives_or_tries(&call, &m)) return operations_swept(next(user, count, type, message, status));  \
    MPI_Status *told = TOLD(status);                                                                            \
    const int class = begin(&m);                                                                                \
    if (class != MPI_SUCCESS) return mpi_raise(PREDEFINED_SELF, class);                                         \
    return arrived(&m, BEHIND(next(m.given.memory, (counts)m.given.count, m.given.type, message, told)), told,  \
                   PREDEFINED_SELF);                                                                            \
  }

EACH_COUNT(RECEIVES_MATCHED, Mrecv)

/* --- Both at once: either side may be ours --- */

struct side {
  struct call call;
  int tag, is_ours;
  struct message message;
};

static struct side side_of(const void *user, MPI_Count count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm communicator) {
  return (struct side){.call = {user, count, type, peer, communicator, 1, 0, 0}, .tag = tag};
}

static int is_either_ours(struct side *out, struct side *in) {
  out->is_ours = call_sends(&out->call, &out->message);
  in->is_ours = call_receives(&in->call, &in->message);
  return out->is_ours || in->is_ours;
}

/* What the MPI is given for the program's buffer. */
static int give(struct side *side) {
  if (!side->is_ours) return MPI_SUCCESS;
  message_call_begins(&side->message);
  const int class = message_start(&side->message);
  if (class != MPI_SUCCESS) return side->is_ours = 0, class;
  side->call.user = side->message.given.memory;
  side->call.count = side->message.given.count;
  side->call.type = side->message.given.type;
  return MPI_SUCCESS;
}

/* Before the MPI's call. MPI_SUCCESS or a class. */
static int give_both(struct side *out, struct side *in) {
  pending_flush();
  int class = give(in);
  if (class == MPI_SUCCESS) class = give(out);
  else out->is_ours = 0;
  return class;
}

/* Behind it, or instead of it. */
static int exchanged(struct side *out, struct side *in, int class, int code, MPI_Status *told) {
  const MPI_Comm communicator = in->call.communicator;
  int sent = MPI_SUCCESS;
  if (out->is_ours) {
    sent = message_sent(&out->message, class == MPI_SUCCESS && code == MPI_SUCCESS);
    message_call_ends(&out->message);
    message_release(&out->message);
  }
  if (class == MPI_SUCCESS) class = sent;
  if (class != MPI_SUCCESS && in->is_ours) message_release(&in->message);
  if (class != MPI_SUCCESS) return mpi_raise(communicator, class);
  return in->is_ours ? arrived(&in->message, code, told, communicator) : code;
}

/* `sendrecv`: MPI_Sendrecv, or its form that counts so. */
#define EXCHANGED(out, in, sendrecv, counts, told)                                                             \
  __extension__({                                                                                              \
    const struct call *to_ = &(out)->call, *from_ = &(in)->call;                                               \
    const int class_ = give_both(out, in);                                                                     \
    const int code_ = class_ != MPI_SUCCESS                                                                    \
                          ? MPI_SUCCESS                                                                        \
                          : BEHIND(sendrecv(to_->user, (counts)to_->count, to_->type, to_->peer, (out)->tag,   \
                                            (void *)(uintptr_t)from_->user, (counts)from_->count, from_->type, \
                                            from_->peer, (in)->tag, to_->communicator, told));                 \
    exchanged(out, in, class_, code_, told);                                                                   \
  })

/* What nobody sends MPICH 4.0 says to be of rank 0, but where it is received by a call that waits. */
static int waited_for(MPI_Request *receiving, int from, MPI_Comm communicator, MPI_Status *status) {
  const int code = BEHIND(NEXT(PMPI_Wait)(receiving, status));
  if (code != MPI_SUCCESS || from != MPI_PROC_NULL) return code;
  return BEHIND(NEXT(PMPI_Recv)(NULL, 0, PREDEFINED_BYTE, from, 0, communicator, status));
}

/* The receive is begun first, and what was sent is over before it is waited for. */
static int exchanged_past(struct host_send *past, MPI_Request *sending, MPI_Request *receiving, int sent, int from,
                          MPI_Comm communicator, MPI_Status *status) {
  if (sent == MPI_SUCCESS) sent = host_send_wait(past, sending);
  if (sent == MPI_SUCCESS) return waited_for(receiving, from, communicator, status);
  NEXT(PMPI_Cancel)(receiving);
  NEXT(PMPI_Request_free)(receiving);
  return sent;
}

#define EXCHANGES(suffix, counts, places, name)                                                                        \
  HOOKED(name##suffix,                                                                                                 \
         (const void *sent, counts sent_count, MPI_Datatype sent_type, int to, int sent_tag, void *received,           \
          counts received_count, MPI_Datatype received_type, int from, int received_tag, MPI_Comm communicator,        \
          MPI_Status *status),                                                                                         \
         (sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type, from, received_tag,      \
          communicator, status)) {                                                                                     \
    struct side out = side_of(sent, sent_count, sent_type, to, sent_tag, communicator);                                \
    struct side in = side_of(received, received_count, received_type, from, received_tag, communicator);               \
    receive_seen(received_type, (size_t)received_count);                                                               \
    MPI_Status *told = TOLD(status);                                                                                   \
    if (is_either_ours(&out, &in)) return EXCHANGED(&out, &in, next, counts, told);                                    \
    if (HAS_PROFILER(name##suffix))                                                                                    \
      return operations_swept(next(sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type, \
                                   from, received_tag, communicator, status));                                         \
    struct host_send past;                                                                                             \
    MPI_Request sending, receiving;                                                                                    \
    const int is_timed = timed_maybe() && timed_is_received(&in.call, &in.message);                                    \
    const int is_looked_at = offered_maybe() && offered_is_received(&in.call, &in.message);                            \
    int code;                                                                                                          \
    if (!host_send_begin(&past, sent, sent_count, sent_type, to, communicator))                                        \
      code = next(sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type, from,            \
                  received_tag, communicator, told);                                                                   \
    else if ((code = BEHIND(NEXT(PMPI_Irecv##suffix)(received, received_count, received_type, from, received_tag,      \
                                                     communicator, &receiving))) == MPI_SUCCESS)                       \
      code = exchanged_past(                                                                                           \
          &past, &sending, &receiving,                                                                                 \
          SENT_PAST(&past, &sending,                                                                                   \
                    NEXT(PMPI_Isend##suffix)(sent, sent_count, sent_type, to, sent_tag, communicator, &sending)),      \
          from, communicator, told);                                                                                   \
    else host_send_pack(&past);                                                                                        \
    if (is_timed) timed_received(&in.message, code);                                                                   \
    if (is_looked_at) code = arrived(&in.message, code, told, communicator);                                           \
    return operations_swept(host_send_over(&past, code));                                                              \
  }

EACH_COUNT(EXCHANGES, Sendrecv)

/* What is sent past the MPI, and replaced by what comes. */
struct replacing {
  struct host_send past;
  MPI_Request sending, receiving;
  int from;
};

/* The receive has begun, by a status, and takes nothing that is still to be sent. */
static int replaced(struct replacing *r, int begun, MPI_Status *told) {
  if (begun == MPI_SUCCESS)
    return exchanged_past(&r->past, &r->sending, &r->receiving, begun, r->from, r->past.elements.communicator, told);
  NEXT(PMPI_Request_free)(&r->sending);
  return begun;
}

/* The MPI took no offer, and still has to send the elements: what comes is unpacked when they are sent. */
static int replaced_beside(struct replacing *r, int tag, MPI_Status *told) {
  const struct elements *e = &r->past.elements;
  const MPI_Comm communicator = e->communicator;
  unsigned char *packed = malloc(e->bytes);
  if (packed == NULL) return NEXT(PMPI_Request_free)(&r->sending), mpi_raise(communicator, MPI_ERR_NO_MEM);
  const int begun =
      BEHIND(NEXT(PMPI_Irecv)(packed, (int)e->bytes, PREDEFINED_BYTE, r->from, tag, communicator, &r->receiving));
  const int code = replaced(r, begun, told);
  if (code == MPI_SUCCESS) {
    offered_look(packed, bytes_of(told));
    elements_unpack(e, packed, bytes_of(told));
  }
  free(packed);
  return code;
}

/* On a device, what is sent is packed before anything is received, each in memory of its own: an exchange. On the host,
 * where an offer may come, elements of a predefined type are looked at where they are. */
#define REPLACES(suffix, counts, places, name)                                                                         \
  HOOKED(name##_replace##suffix,                                                                                       \
         (void *user, counts count, MPI_Datatype type, int to, int sent_tag, int from, int received_tag,               \
          MPI_Comm communicator, MPI_Status *status),                                                                  \
         (user, count, type, to, sent_tag, from, received_tag, communicator, status)) {                                \
    struct side out = side_of(user, count, type, to, sent_tag, communicator);                                          \
    struct side in = side_of(user, count, type, from, received_tag, communicator);                                     \
    receive_seen(type, (size_t)count);                                                                                 \
    MPI_Status *told = TOLD(status);                                                                                   \
    if (!is_either_ours(&out, &in)) {                                                                                  \
      struct replacing r = {.from = from};                                                                             \
      if (offered_maybe() && offered_is_received(&in.call, &in.message))                                               \
        return arrived(&in.message,                                                                                    \
                       BEHIND(next(user, count, type, to, sent_tag, from, received_tag, communicator, told)), told,    \
                       communicator);                                                                                  \
      if (HAS_PROFILER(name##_replace##suffix))                                                                        \
        return operations_swept(next(user, count, type, to, sent_tag, from, received_tag, communicator, status));      \
      const int is_timed = timed_maybe() && timed_is_received(&in.call, &in.message);                                  \
      int code;                                                                                                        \
      if (!host_send_begin(&r.past, user, count, type, to, communicator))                                              \
        code = next(user, count, type, to, sent_tag, from, received_tag, communicator, status);                        \
      else if ((code = SENT_PAST(&r.past, &r.sending,                                                                  \
                                 NEXT(PMPI_Isend##suffix)(user, count, type, to, sent_tag, communicator,               \
                                                          &r.sending))) == MPI_SUCCESS)                                \
        code = !r.past.is_offered ? replaced_beside(&r, received_tag, told)                                            \
                                  : (host_send_withdraw(&r.past),                                                      \
                                     replaced(&r,                                                                      \
                                              BEHIND(NEXT(PMPI_Irecv##suffix)(user, count, type, from, received_tag,   \
                                                                              communicator, &r.receiving)),            \
                                              told));                                                                  \
      if (is_timed) timed_received(&in.message, code);                                                                 \
      return operations_swept(host_send_over(&r.past, code));                                                          \
    }                                                                                                                  \
    const struct gpu_buffer *b = &in.message.buffer;                                                                   \
    if (out.is_ours || buffer_is_of_device(b) || !b->facts.is_dense)                                                   \
      return EXCHANGED(&out, &in, NEXT(MPI_##name##suffix), counts, told);                                             \
    const int class = give(&in);                                                                                       \
    if (class != MPI_SUCCESS) return mpi_raise(communicator, class);                                                   \
    return arrived(&in.message, BEHIND(next(user, count, type, to, sent_tag, from, received_tag, communicator, told)), \
                   told, communicator);                                                                                \
  }

EACH_COUNT(REPLACES, Sendrecv)
