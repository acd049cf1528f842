/* Ways of a message by way of the host: chosen by the table of routes among those that may take it. */
#ifndef STOWAGE_GPU_BY_HOST_H
#define STOWAGE_GPU_BY_HOST_H

#include "route.h"
#include "staging.h"

/* Chooses one, which says what the MPI is given. MPI_SUCCESS or a class. */
int by_host_give(struct gpu_message *message);
/* The move of a buffer that is part of a call's, packed at a place in its staging memory; bytes that the MPI wants all
 * at once. */
struct gpu_move by_host_move(const struct gpu_buffer *buffer, const struct gpu_staging *staging, size_t at);

#endif
