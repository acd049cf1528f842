/* A message that stands for one whose bytes the MPI does not find in a buffer: of the same size, so that matching,
 * probes, counts, truncation and the ends of requests are the MPI's own. Whoever packs inside the MPI
 * (mpi/openmpi/convertor-placeholder.c, mpi/mpich/generic.c) asks the placeholder for its bytes, and gives it those
 * that come. */
#ifndef STOWAGE_GPU_PLACEHOLDER_H
#define STOWAGE_GPU_PLACEHOLDER_H

#include "exported.h"

#include <mpi.h>
#include <stddef.h>

/* One side of a message, where the MPI believes its elements to be: the first part of a route's state. Each moves bytes
 * [first, first + length) of the packed stream. */
struct placeholder {
  void (*pack)(struct placeholder *, size_t first, void *packed, size_t length);
  void (*unpack)(struct placeholder *, size_t first, const void *packed, size_t length);
};

/* The shortest message that one can stand for. */
enum { PLACEHOLDER_LEAST_BYTES = 32 };

/* A datatype of so many bytes whose messages are placeholders: one element, at a struct placeholder. 0: none can be
 * made. */
int placeholder_type(size_t bytes, MPI_Datatype *type);
/* Whether a handle is such a datatype. */
int placeholder_is(MPI_Datatype type);
HIDDEN extern size_t placeholder_types;
/* Told of each type that is made, where an MPI's own packing has to know; NULL: it has not. */
HIDDEN extern void (*placeholder_committed)(MPI_Datatype);

#endif
