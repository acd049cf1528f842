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

/* How the MPI gets elements with gaps from a target. */
enum window_gets { WINDOW_GETS_NOT_KNOWN, WINDOW_GETS_RUNS, WINDOW_GETS_PACKED };

/* Where that is noted, by whoever finds it out. NULL: nothing but the elements may be read (the memory's model is
 * separate, or it is attached in parts), or the MPI has no such ways. */
enum window_gets *window_gets_from(MPI_Win window, int target);

/* Errors are answers from now on, until they are let go to the program's handler. */
MPI_Errhandler window_hold_errors(MPI_Win window);
void window_let_errors_go(MPI_Win window, MPI_Errhandler own);

/* It is about to be freed: its handle may be another's soon. */
void window_forget(MPI_Win window);

#endif
