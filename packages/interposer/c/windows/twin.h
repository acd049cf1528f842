/* Elements of one type on both sides of a window that Open MPI packs into in place: of two types by its convertors, and
 * so by our code; of one it copies them run by run. So it is given a second type for the target, which has the same
 * elements. */
#ifndef STOWAGE_TWIN_H
#define STOWAGE_TWIN_H

#include "transfer.h"

/* What the MPI is to be given as the target's type of a call that is its own: the call's, or its twin. */
MPI_Datatype twin_for(const struct transfer_call *);

#endif
