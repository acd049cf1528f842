#include "held-errors.h"

#include "next.h"
#include "predefined.h"

void hold_errors(struct held_errors *program) {
  program->are_held = 0;
  if (NEXT(PMPI_Initialized)(&program->are_held) != MPI_SUCCESS || !program->are_held) return;
  NEXT(PMPI_Comm_get_errhandler)(PREDEFINED_WORLD, &program->world);
  NEXT(PMPI_Comm_get_errhandler)(PREDEFINED_SELF, &program->self);
  NEXT(PMPI_Comm_set_errhandler)(PREDEFINED_WORLD, PREDEFINED_ERRORS_RETURN);
  NEXT(PMPI_Comm_set_errhandler)(PREDEFINED_SELF, PREDEFINED_ERRORS_RETURN);
}

void let_errors_go(struct held_errors *program) {
  if (!program->are_held) return;
  NEXT(PMPI_Comm_set_errhandler)(PREDEFINED_WORLD, program->world);
  NEXT(PMPI_Comm_set_errhandler)(PREDEFINED_SELF, program->self);
  NEXT(PMPI_Errhandler_free)(&program->world);
  NEXT(PMPI_Errhandler_free)(&program->self);
}
