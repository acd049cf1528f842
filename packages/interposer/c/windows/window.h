/* What is known of a window: asked of the MPI once, and forgotten when it is freed. */
#ifndef STOWAGE_WINDOW_H
#define STOWAGE_WINDOW_H

#include <mpi.h>

/* Whether the MPI packs straight into the memory of targets, by code of ours: Open MPI's osc/sm, by its convertors. It
 * has no run for each block then, and needs no memory between. */
int window_is_packed_in_place(MPI_Win window);

/* Where a displacement of a target lies in this process's memory, in a window whose processes all are of this host and
 * whose memory the MPI allocated. NULL: nowhere. */
void *window_address(MPI_Win window, int target, MPI_Aint displacement);

/* It is about to be freed: its handle may be another's soon. */
void window_forget(MPI_Win window);

#endif
