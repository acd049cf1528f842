#include "description.h"
#include "next.h"

#define MPI_Type_get_envelope NEXT(PMPI_Type_get_envelope)
#define MPI_Type_get_contents NEXT(PMPI_Type_get_contents)
#define MPI_Type_get_extent NEXT(PMPI_Type_get_extent)
#define MPI_Type_get_name NEXT(PMPI_Type_get_name)
#define MPI_Type_free NEXT(PMPI_Type_free)
#if MPI_VERSION >= 4
#define MPI_Type_get_envelope_c NEXT(PMPI_Type_get_envelope_c)
#define MPI_Type_get_contents_c NEXT(PMPI_Type_get_contents_c)
#define MPI_Type_get_extent_c NEXT(PMPI_Type_get_extent_c)
#endif
#include "stowage_mpi.h"

stowage_describer *description_of(MPI_Datatype type) {
  stowage_describer *describer = stowage_describe();
  uint32_t node;
  if (describer != NULL && stowage_describe_mpi(describer, type, &node) == STOWAGE_OK) return describer;
  stowage_describer_free(describer);
  return NULL;
}
