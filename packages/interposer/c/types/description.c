#include "description.h"
#include "next.h"
#include "say.h"

#if MPI_VERSION < 4
/* The MPI that runs may be newer than the mpi.h that this is compiled with. */
int PMPI_Type_get_envelope_c(MPI_Datatype, MPI_Count *integers, MPI_Count *addresses, MPI_Count *counts,
                             MPI_Count *types, int *combiner);
int PMPI_Type_get_contents_c(MPI_Datatype, MPI_Count, MPI_Count, MPI_Count, MPI_Count, int integers[],
                             MPI_Aint addresses[], MPI_Count counts[], MPI_Datatype types[]);
#endif

/* Looked up once: a name that is not there is looked for in every library. */
static int has_large(void) {
  static int known = -1;
  int has = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (has >= 0) return has;
  has = NEXT(PMPI_Type_get_envelope_c) != NULL && NEXT(PMPI_Type_get_contents_c) != NULL;
  __atomic_store_n(&known, has, __ATOMIC_RELAXED);
  return has;
}

#define STOWAGE_MPI_HAS_LARGE has_large()
#define MPI_Type_get_envelope NEXT(PMPI_Type_get_envelope)
#define MPI_Type_get_contents NEXT(PMPI_Type_get_contents)
#define MPI_Type_get_envelope_c NEXT(PMPI_Type_get_envelope_c)
#define MPI_Type_get_contents_c NEXT(PMPI_Type_get_contents_c)
#define MPI_Type_get_extent NEXT(PMPI_Type_get_extent)
#define MPI_Type_get_name NEXT(PMPI_Type_get_name)
#define MPI_Type_free NEXT(PMPI_Type_free)
#include "stowage_mpi.h"

stowage_describer *description_of(MPI_Datatype type) {
  stowage_describer *describer = stowage_describe();
  uint32_t node;
  if (describer != NULL && stowage_describe_mpi(describer, type, &node) == STOWAGE_OK) return describer;
  SAY_ONCE("a datatype made of one that no description takes, such as MPI_Type_create_f90_real's: it stays native");
  stowage_describer_free(describer);
  return NULL;
}
