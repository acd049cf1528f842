/* Ways of a message through host memory: chosen by the table of routes among those that may take it. */
#ifndef STOWAGE_GPU_BY_HOST_H
#define STOWAGE_GPU_BY_HOST_H

#include "route.h"

/* Chooses one, which says what the MPI is given. MPI_SUCCESS or a class. */
int by_host_give(struct message *message);

#endif
