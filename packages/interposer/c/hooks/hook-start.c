/* Where an MPI begins and ends: once by MPI_Init, and by sessions as often as the program likes. */
#include <mpi.h>

#include "hook.h"
#include "predefined.h"
#include "start.h"

static int began(int status) {
  if (status == MPI_SUCCESS) start();
  return status;
}

/* Every beginning passes here before the MPI reads its environment. */
#define BEGUN(call)      \
  __extension__({        \
    before_start();      \
    began(BEHIND(call)); \
  })

HOOKED(Init, (int *argc, char ***argv), (argc, argv)) { return BEGUN(next(argc, argv)); }

HOOKED(Init_thread, (int *argc, char ***argv, int required, int *provided), (argc, argv, required, provided)) {
  return BEGUN(next(argc, argv, required, provided));
}

static int ending(__typeof__(MPI_Finalize) *next) {
  int rank = 0;
  if (!is_outermost()) return next();
  if (is_last()) NEXT(PMPI_Comm_rank)(PREDEFINED_WORLD, &rank);
  stop(rank);
  return BEHIND(next());
}

HOOK(int, MPI_Finalize)(void) { return ending(NEXT(MPI_Finalize)); }
HOOK(int, PMPI_Finalize)(void) { return ending(NEXT(PMPI_Finalize)); }

#if MPI_VERSION >= 4
HOOKED(Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session *session), (info, handler, session)) {
  return BEGUN(next(info, handler, session));
}

/* MPI_COMM_WORLD may not exist: the rank is that in the process set of the same processes (MPI 4.1, section 11.3.2). */
static int rank_of(MPI_Session session) {
  MPI_Group world;
  int rank = 0;
  if (NEXT(PMPI_Group_from_session_pset)(session, "mpi://WORLD", &world) != MPI_SUCCESS) return 0;
  NEXT(PMPI_Group_rank)(world, &rank);
  NEXT(PMPI_Group_free)(&world);
  return rank;
}

HOOKED(Session_finalize, (MPI_Session * session), (session)) {
  if (session != NULL && *session != MPI_SESSION_NULL) stop(is_last() ? rank_of(*session) : 0);
  return BEHIND(next(session));
}
#endif
