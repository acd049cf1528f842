/* Messages of the program's calls, by whichever route each goes. */
#ifndef STOWAGE_MESSAGE_H
#define STOWAGE_MESSAGE_H

#include "clock.h"
#include "route.h"
#include "way-choice.h"

/* A call with a buffer: an envelope as MPI means it, and how it is made. */
struct call {
  const void *user;
  MPI_Count count;
  MPI_Datatype type;
  int peer;
  MPI_Comm communicator;
  int is_waited_for, is_persistent, is_taken_whole;
};

/* Sets what a call says of its message, whose buffer is set. */
static inline void message_describe(struct message *m, const struct call *call, enum stowage_direction direction) {
  const struct gpu_buffer buffer = m->buffer;
  *m = (struct message){.buffer = buffer,
                        .direction = direction,
                        .peer = call->peer,
                        .communicator = call->communicator,
                        .is_waited_for = call->is_waited_for,
                        .is_persistent = call->is_persistent,
                        .is_taken_whole = call->is_taken_whole};
}

/* The program calls the MPI for the message, and has its answer: the time between is the message's. */
static inline void message_call_begins(struct message *m) {
  if (UNLIKELY(m->choice != NULL)) m->call_ns = now_ns();
}
static inline void message_call_ends(struct message *m) {
  if (LIKELY(m->choice == NULL || m->call_ns == 0)) return;
  m->spent_ns += now_ns() - m->call_ns;
  m->call_ns = 0;
}

/* Whether a call's buffer is ours: it lies on a device; or on the host, where what comes may be an offer. Nothing is
 * done yet, but the message's call is set. */
int message_is_sent(const struct call *call, struct message *message);
int message_is_received(const struct call *call, struct message *message);

/* Chooses its way, by which the MPI is given something in the buffer's stead. MPI_SUCCESS or a class. The message stays
 * where it is from now on, until message_release. */
int message_give(struct message *message);
/* Both, of a message that is begun at once; where a class is given it is released. */
int message_start(struct message *message);
/* Begins, or begins anew. */
int messages_begin(struct message *const messages[], size_t count);
/* The MPI is done with a send: its elements are the program's again. */
int message_sent(struct message *message, int is_well);
/* So many bytes of each have arrived: they are unpacked, together. */
int messages_arrived(struct message *const messages[], const size_t bytes[], size_t count);
void message_release(struct message *message);

/* Bytes that a status says have arrived. */
size_t bytes_told(const MPI_Status *status);
/* The same, 0 where the message was cancelled. */
size_t bytes_of(const MPI_Status *status);

#endif
