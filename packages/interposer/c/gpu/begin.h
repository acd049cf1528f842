/* The beginning of messages that go different ways. */
#ifndef STOWAGE_GPU_BEGIN_H
#define STOWAGE_GPU_BEGIN_H

#include "route.h"

/* Begins at most MOST_MOVES messages of several routes: those of one together. MPI_SUCCESS or a class. */
int begin_all(struct message *const messages[], size_t count);

#endif
