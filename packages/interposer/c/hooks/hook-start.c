/* Where an MPI begins and ends: once by MPI_Init, and by sessions as often as the program likes. */
#include <mpi.h>

#include "hook.h"
#include "predefined.h"
#include "start.h"

static int began(int status) {
  if (status == MPI_SUCCESS && is_outermost()) start();
  return status;
}

static void ending(void) {
  int rank = 0;
  if (!is_outermost()) return;
  if (is_last()) NEXT(PMPI_Comm_rank)(PREDEFINED_WORLD, &rank);
  stop(rank);
}

EXPORTED int MPI_Init(int *argc, char ***argv) { return began(BEHIND(NEXT(MPI_Init)(argc, argv))); }
EXPORTED int PMPI_Init(int *argc, char ***argv) { return began(BEHIND(NEXT(PMPI_Init)(argc, argv))); }

EXPORTED int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  return began(BEHIND(NEXT(MPI_Init_thread)(argc, argv, required, provided)));
}

EXPORTED int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  return began(BEHIND(NEXT(PMPI_Init_thread)(argc, argv, required, provided)));
}

EXPORTED int MPI_Finalize(void) {
  ending();
  return BEHIND(NEXT(MPI_Finalize)());
}

EXPORTED int PMPI_Finalize(void) {
  ending();
  return BEHIND(NEXT(PMPI_Finalize)());
}

#if MPI_VERSION >= 4
/* MPI_COMM_WORLD may not exist: the rank is that in the process set of the same processes (MPI 4.1, section 11.3.2). */
static void session_ending(const MPI_Session *session) {
  MPI_Group world;
  int rank = 0;
  if (!is_outermost() || session == NULL || *session == MPI_SESSION_NULL) return;
  if (is_last() && NEXT(PMPI_Group_from_session_pset)(*session, "mpi://WORLD", &world) == MPI_SUCCESS) {
    NEXT(PMPI_Group_rank)(world, &rank);
    NEXT(PMPI_Group_free)(&world);
  }
  stop(rank);
}

EXPORTED int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session) {
  return began(BEHIND(NEXT(MPI_Session_init)(info, handler, session)));
}

EXPORTED int PMPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session) {
  return began(BEHIND(NEXT(PMPI_Session_init)(info, handler, session)));
}

EXPORTED int MPI_Session_finalize(MPI_Session *session) {
  session_ending(session);
  return BEHIND(NEXT(MPI_Session_finalize)(session));
}

EXPORTED int PMPI_Session_finalize(MPI_Session *session) {
  session_ending(session);
  return BEHIND(NEXT(PMPI_Session_finalize)(session));
}
#endif
