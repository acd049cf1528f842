#include "probe-type.h"

#include "next.h"
#include "predefined.h"
#include "probe.h"

int probe_commit(MPI_Datatype *type) {
  return NEXT(PMPI_Type_vector)(PROBE_BLOCKS, PROBE_BLOCK, PROBE_STRIDE, PREDEFINED_BYTE, type) == MPI_SUCCESS &&
         NEXT(PMPI_Type_commit)(type) == MPI_SUCCESS;
}
