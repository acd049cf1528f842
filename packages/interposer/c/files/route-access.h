/* Accesses that go on when the call has returned: messages of the table of requests. */
#ifndef STOWAGE_ROUTE_ACCESS_H
#define STOWAGE_ROUTE_ACCESS_H

#include "access.h"
#include "operation.h"

/* Makes an operation of an access that has begun, and says what the MPI is given. 0: there is no memory, and the access
 * is as before. */
int access_operation(const struct access *, struct operation **);

#endif
