/* What is known of a window. */
#ifndef STOWAGE_WINDOW_H
#define STOWAGE_WINDOW_H

#include <mpi.h>

/* Whether the MPI packs straight into the memory of targets, by code of ours: Open MPI's osc/sm, by its convertors. It
 * has no run for each block then, and needs no memory between. Asked of the MPI once for each window. */
int window_is_packed_in_place(MPI_Win window);

/* It is about to be freed: its handle may be another's soon. */
void window_forget(MPI_Win window);

#endif
