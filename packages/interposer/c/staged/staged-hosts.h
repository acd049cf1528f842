/* Which processes are on this host. */
#ifndef STOWAGE_STAGED_HOSTS_H
#define STOWAGE_STAGED_HOSTS_H

#include <mpi.h>

/* Beside a message's: all processes of a call. Kinds of peers whose messages are choices of their own (way-choice.h).
 */
enum staged_host { SAME_HOST, OTHER_HOST, ANY_HOST, ALL_OF_A_CALL };

/* In MPI_Init, with a communicator of the processes of MPI_COMM_WORLD on this host. */
void staged_hosts_learn(MPI_Comm host);

/* Where a message's peer is, as far as that is known. */
enum staged_host staged_host_of(MPI_Comm communicator, int peer);

#endif
