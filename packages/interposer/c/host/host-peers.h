/* The processes of this job and host whose inboxes take messages. */
#ifndef STOWAGE_HOST_PEERS_H
#define STOWAGE_HOST_PEERS_H

#include "inbox.h"

#include <mpi.h>

/* At the end of MPI_Init, and at the beginning of MPI_Finalize. */
void host_start(void);
void host_stop(void);

/* The inbox of a rank of a communicator. NULL: it has none, or not yet. */
struct inbox *host_peer(MPI_Comm communicator, int rank);

/* Whether a process has ended. */
int host_has_ended(pid_t process);

#endif
