/* Persistent sends past the MPI: what a request is made of is kept, and each start of it is a send (host-send.h). */
#ifndef STOWAGE_HOST_PERSISTENT_H
#define STOWAGE_HOST_PERSISTENT_H

#include "host-send.h"

/* Whether starts of such a request may go so. Then the MPI is to make it next. NULL: none does. */
struct host_send *host_persistent_begin(const void *user, MPI_Count count, MPI_Datatype type, int peer,
                                        MPI_Comm communicator);
/* It has, by a status, which is returned. */
int host_persistent_made(struct host_send *send, int status, const MPI_Request *request);

/* What a request is made of that is being started. NULL: its starts do not go so. */
struct host_send *host_persistent_of(MPI_Request request);
/* Whether it goes so now (host_send_start). */
int host_persistent_start(struct host_send *send);

/* The program gives the request back, whatever it is of. */
void host_persistent_free(MPI_Request request);

#endif
