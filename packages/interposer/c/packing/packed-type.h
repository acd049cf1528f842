/* What stands for an element that is packed: as many bytes side by side. Equal counts of it have equal sizes. */
#ifndef STOWAGE_PACKED_TYPE_H
#define STOWAGE_PACKED_TYPE_H

#include <mpi.h>
#include <stddef.h>

/* A committed type of `size` bytes, which stays. 0: there is no memory, or the MPI would not. Any thread. */
int packed_type(size_t size, MPI_Datatype *type);

#endif
