/* Transfers with a request of their own: messages of the table of requests. */
#ifndef STOWAGE_ROUTE_TRANSFER_H
#define STOWAGE_ROUTE_TRANSFER_H

#include "operation.h"
#include "transfer.h"

/* Makes an operation of a transfer, which it drops when its request is over. NULL: there is no memory. */
struct operation *transfer_operation(struct transfer *, enum stowage_direction);

/* The MPI's call returned with a status. Returns the status. */
int transfer_requested(struct operation *, struct transfer *, int status, const MPI_Request *request);

#endif
