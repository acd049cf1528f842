#include "raise.h"

#include "next.h"

int mpi_raise(MPI_Comm communicator, int class) {
  NEXT(PMPI_Comm_call_errhandler)(communicator, class);
  return class;
}
