/* Where an MPI begins and ends. */
#include <mpi.h>

#include "hook.h"
#include "start.h"

static int began(int status) {
  if (status == MPI_SUCCESS && is_outermost()) start();
  return status;
}

static void ending(void) {
  if (is_outermost()) stop();
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
