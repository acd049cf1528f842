/* Errors that are answers: raised on MPI_COMM_WORLD or MPI_COMM_SELF, whichever MPIs take for a call without a
 * communicator, and for some with one. */
#ifndef STOWAGE_HELD_ERRORS_H
#define STOWAGE_HELD_ERRORS_H

#include <mpi.h>

/* The program's handlers meanwhile. */
struct held_errors {
  MPI_Errhandler world, self;
  /* A program of sessions has neither communicator. */
  int are_held;
};

/* From now on errors are returned, until they are let go. */
void hold_errors(struct held_errors *program);
void let_errors_go(struct held_errors *program);

#endif
