/* Sends past the MPI: packed into the receiver's inbox, piece by piece, while the receiver unpacks what is there. A
 * sender waits for nobody: a message has room as a whole, or goes as the MPI has it go. */
#ifndef STOWAGE_HOST_SEND_H
#define STOWAGE_HOST_SEND_H

#include "elements.h"
#include "heap.h"
#include "hook.h"
#include "clock.h"
#include "element-runs.h"
#include "host-offer.h"
#include "way-choice.h"

#include <pthread.h>

struct host_send {
  struct elements elements;
  /* Whose inbox, as a rank of MPI_COMM_WORLD. */
  int peer;
  struct inbox *inbox;
  struct host_offer offer;
  /* By which what the MPI prepares for it knows it from others that this process has begun. */
  uint64_t number;
  /* The MPI has taken the offer for the message's first bytes; it has read these; it never will, though it took them;
   * what was offered is packed. */
  int is_offered, is_carried, is_refused, is_packed;
  /* Where elements had better stay where they lie (host-lying.h): their runs, or NULL, and the block. Whether they do,
   * as long as nobody has read or packed them. */
  const struct element_runs *runs;
  struct heap_block block;
  int is_lying;
  /* How long its pieces are. How many bytes are packed; in how many places of its room, and how many pieces' places
   * others have taken. */
  size_t piece, packed, places, taken;
  /* By which the MPI makes progress with it; NULL: it has not begun. */
  MPI_Request *request;
  /* Where it is tried (host-trial.h), and since when; NULL: it is not. */
  struct way_choice *tried;
  int64_t start_ns;
  /* Where threads share the MPI (under-way.h): who packs a piece of it, and another that is under way. */
  pthread_mutex_t packing;
  struct host_send *next;
};

/* Told once there is a datatype whose messages may go so; NULL: nobody asks. */
HIDDEN extern void (*host_sends_opened)(void);
/* The program has such a datatype. */
void host_sends_open(void);

/* Whether messages of such elements may go so to such a peer. */
int host_send_describe(struct host_send *send, const void *user, MPI_Count count, MPI_Datatype type, int peer,
                       MPI_Comm communicator);
/* Whether one that was described goes so now, once or again. Then its room is taken, and between this and
 * host_send_pack the MPI is given the message by a call that does not wait. Where it is tried its trial has begun,
 * whichever way it goes. */
int host_send_start(struct host_send *send);
/* Both. */
int host_send_begin(struct host_send *send, const void *user, MPI_Count count, MPI_Datatype type, int peer,
                    MPI_Comm communicator);
/* Before this thread waits for another process inside the MPI's call, and while it does: packs what was offered there,
 * for which others may be waiting. */
void host_send_catch_up(void);
/* The MPI has begun it: packs what was offered; the room of what was not is given back. */
void host_send_pack(struct host_send *send);

/* Has the MPI make progress with whatever is under way. */
void host_send_progress(void);
/* The next piece of one whose call does so no more. 0: there is none left. */
int host_send_pack_piece(struct host_send *send);

/* Its room's head. */
static inline struct inbox_message *host_send_message(const struct host_send *send) {
  return inbox_at(send->inbox, send->offer.chunk);
}

/* Begins by a call that does not wait, which gave its status, and a request. */
#define SENT_PAST(send, its_request, call)                    \
  __extension__({                                             \
    const int begun_ = BEHIND(call);                          \
    if (begun_ == MPI_SUCCESS) (send)->request = its_request; \
    host_send_pack(send);                                     \
    begun_;                                                   \
  })
/* Behind host_send_begin or host_send_start, the call that sends is over, by a status, and so is what it sends: its
 * status. */
static inline int host_send_over(const struct host_send *send, int status) {
  if (UNLIKELY(send->tried != NULL)) way_trial_ends(send->tried, status == MPI_SUCCESS ? now_ns() - send->start_ns : 0);
  return status;
}

/* At MPI_Finalize: one line under STOWAGE_VERBOSE. */
void host_sends_say(int rank);

#endif
