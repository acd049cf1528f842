/* Sends whose elements stay where they lie (host-lying.h), once the MPI has sent them. */
#ifndef STOWAGE_HOST_SETTLE_H
#define STOWAGE_HOST_SETTLE_H

#include "host-send.h"

/* The MPI has sent it, or says so, though nobody may have it yet: waits for whoever is about to read its elements, for
 * about as long as packing takes, and packs them then. Behind it they are the program's again. */
void host_send_settle(struct host_send *send);
/* The same, without waiting for anybody but who is reading. */
void host_send_withdraw(struct host_send *send);

/* Waits for the request of one that has begun: its status. */
static inline int host_send_wait(struct host_send *send, MPI_Request *request) {
  const int status = BEHIND(NEXT(PMPI_Wait)(request, MPI_STATUS_IGNORE));
  if (UNLIKELY(send->is_lying)) host_send_settle(send);
  return status;
}

/* Begins by a call that does not wait, which gave its status, and a request, and waits for that. */
#define SENT_PAST_AND_WAITED(send, its_request, call)                 \
  __extension__({                                                     \
    const int sent_ = SENT_PAST(send, its_request, call);             \
    sent_ != MPI_SUCCESS ? sent_ : host_send_wait(send, its_request); \
  })

/* At MPI_Finalize: one line under STOWAGE_VERBOSE. */
void host_settled_say(int rank);

#endif
