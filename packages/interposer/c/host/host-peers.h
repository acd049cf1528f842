/* The processes of this job and host whose inboxes take messages. */
#ifndef STOWAGE_HOST_PEERS_H
#define STOWAGE_HOST_PEERS_H

#include "inbox.h"

#include <mpi.h>

/* At the end of MPI_Init, and at the beginning of MPI_Finalize. */
void host_start(void);
void host_stop(void);

/* A rank of a communicator as one of MPI_COMM_WORLD to which messages may go. -1: none do. */
int host_peer_of(MPI_Comm communicator, int rank);
/* Its inbox. NULL: it has none, or not yet. */
struct inbox *host_peer_inbox(int world_rank);
/* What this process has of it. */
struct inbox_use *host_peer_use(int world_rank);
/* The process that has it. */
pid_t host_peer_process(int world_rank);
/* This process's rank in MPI_COMM_WORLD. */
int host_own_rank(void);

/* Whether a process has ended. */
int host_has_ended(pid_t process);
/* The same of one that is waited for, asked now and then: after so many looks, from 1. Others may have the processor
 * meanwhile. */
int host_has_ended_after(pid_t process, unsigned looks);

#endif
