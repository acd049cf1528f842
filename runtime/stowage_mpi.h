/* The description of an MPI handle's datatype, for stowage_key and stowage_description. Needs the MPI's own mpi.h; the rest of
 * the library does not. */
#ifndef STOWAGE_MPI_H
#define STOWAGE_MPI_H

#include "stowage.h"

#include <mpi.h>
#include <stdlib.h>

enum { STOWAGE_MPI_NONE = -1 };

/* Our number of an MPI's combiner; -1 where it is none that a description takes. */
static int stowage_mpi_combiner(int combiner) {
  const struct {
    int mpi;
    enum stowage_combiner ours;
  } table[] = {{MPI_COMBINER_NAMED, STOWAGE_NAMED},
               {MPI_COMBINER_CONTIGUOUS, STOWAGE_CONTIGUOUS},
               {MPI_COMBINER_VECTOR, STOWAGE_VECTOR},
               {MPI_COMBINER_HVECTOR, STOWAGE_HVECTOR},
               {MPI_COMBINER_INDEXED, STOWAGE_INDEXED},
               {MPI_COMBINER_HINDEXED, STOWAGE_HINDEXED},
               {MPI_COMBINER_INDEXED_BLOCK, STOWAGE_INDEXED_BLOCK},
               {MPI_COMBINER_HINDEXED_BLOCK, STOWAGE_HINDEXED_BLOCK},
               {MPI_COMBINER_STRUCT, STOWAGE_STRUCT},
               {MPI_COMBINER_SUBARRAY, STOWAGE_SUBARRAY},
               {MPI_COMBINER_DARRAY, STOWAGE_DARRAY},
               {MPI_COMBINER_RESIZED, STOWAGE_RESIZED},
               {MPI_COMBINER_DUP, STOWAGE_DUP}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].mpi == combiner) return (int)table[i].ours;
  return STOWAGE_MPI_NONE;
}

static int64_t stowage_mpi_order(int64_t order) {
  return order == MPI_ORDER_C ? STOWAGE_ORDER_C : STOWAGE_ORDER_FORTRAN;
}

/* The MPI's constants become ours. Subarray: dimensions, sizes, subsizes, starts, order. Darray: size, rank, dimensions, sizes,
 * distributions, arguments, processes, order. MPI 4.1, section 5.1.13. */
static void stowage_mpi_constants(enum stowage_combiner combiner, int64_t *integers, size_t count) {
  if (combiner == STOWAGE_SUBARRAY || combiner == STOWAGE_DARRAY) integers[count - 1] = stowage_mpi_order(integers[count - 1]);
  if (combiner != STOWAGE_DARRAY) return;
  const size_t dimensions = (size_t)integers[2];
  int64_t *distributions = integers + 3 + dimensions, *arguments = distributions + dimensions;
  for (size_t i = 0; i < dimensions; i++) {
    distributions[i] = distributions[i] == MPI_DISTRIBUTE_BLOCK    ? STOWAGE_DISTRIBUTE_BLOCK
                       : distributions[i] == MPI_DISTRIBUTE_CYCLIC ? STOWAGE_DISTRIBUTE_CYCLIC
                                                                   : STOWAGE_DISTRIBUTE_NONE;
    if (arguments[i] == MPI_DISTRIBUTE_DFLT_DARG) arguments[i] = STOWAGE_DISTRIBUTE_DFLT_DARG;
  }
}

static enum stowage_status stowage_describe_mpi(stowage_describer *describer, MPI_Datatype type, uint32_t *node);

/* A child's handle is the caller's to free, unless it is a predefined one. */
static void stowage_mpi_release(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX &&
      combiner != MPI_COMBINER_F90_INTEGER)
    MPI_Type_free(&type);
}

struct stowage_mpi_lists {
  int *ints;
  int64_t *integers, *addresses;
  MPI_Aint *aints;
  MPI_Datatype *types;
  uint32_t *children;
};

static void stowage_mpi_free(struct stowage_mpi_lists *lists) {
  free(lists->ints);
  free(lists->integers);
  free(lists->addresses);
  free(lists->aints);
  free(lists->types);
  free(lists->children);
}

static int stowage_mpi_allocate(struct stowage_mpi_lists *lists, size_t integers, size_t addresses, size_t types) {
  lists->ints = (int *)calloc(integers + 1, sizeof *lists->ints);
  lists->integers = (int64_t *)calloc(integers + 1, sizeof *lists->integers);
  lists->addresses = (int64_t *)calloc(addresses + 1, sizeof *lists->addresses);
  lists->aints = (MPI_Aint *)calloc(addresses + 1, sizeof *lists->aints);
  lists->types = (MPI_Datatype *)calloc(types + 1, sizeof *lists->types);
  lists->children = (uint32_t *)calloc(types + 1, sizeof *lists->children);
  return lists->ints && lists->integers && lists->addresses && lists->aints && lists->types && lists->children;
}

static enum stowage_status stowage_mpi_made(stowage_describer *describer, MPI_Datatype type, enum stowage_combiner combiner,
                                            const int counts[3], struct stowage_mpi_lists *lists, uint32_t *node) {
  MPI_Aint lower_bound, extent;
  MPI_Type_get_extent(type, &lower_bound, &extent);
  MPI_Type_get_contents(type, counts[0], counts[1], counts[2], lists->ints, lists->aints, lists->types);
  for (int i = 0; i < counts[0]; i++) lists->integers[i] = lists->ints[i];
  for (int i = 0; i < counts[1]; i++) lists->addresses[i] = lists->aints[i];
  stowage_mpi_constants(combiner, lists->integers, (size_t)counts[0]);
  enum stowage_status status = STOWAGE_OK;
  for (int i = 0; i < counts[2]; i++) {
    if (status == STOWAGE_OK) status = stowage_describe_mpi(describer, lists->types[i], &lists->children[i]);
    stowage_mpi_release(lists->types[i]);
  }
  if (status != STOWAGE_OK) return status;
  const struct stowage_contents contents = {lists->integers,   lists->addresses,  lists->children,
                                            (size_t)counts[0], (size_t)counts[1], (size_t)counts[2]};
  return stowage_describe_node(describer, combiner, &contents, lower_bound, extent, node);
}

/* Adds a handle's datatype with all that it is made of. */
static enum stowage_status stowage_describe_mpi(stowage_describer *describer, MPI_Datatype type, uint32_t *node) {
  int counts[3], combiner;
  MPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &combiner);
  const int ours = stowage_mpi_combiner(combiner);
  if (ours == STOWAGE_MPI_NONE) return STOWAGE_DESCRIPTION;
  if (ours == STOWAGE_NAMED) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Aint lower_bound, extent;
    MPI_Type_get_name(type, name, &length);
    MPI_Type_get_extent(type, &lower_bound, &extent);
    return stowage_describe_named(describer, name, lower_bound, extent, node);
  }
  struct stowage_mpi_lists lists = {0};
  enum stowage_status status = STOWAGE_NO_MEMORY;
  if (stowage_mpi_allocate(&lists, (size_t)counts[0], (size_t)counts[1], (size_t)counts[2]))
    status = stowage_mpi_made(describer, type, (enum stowage_combiner)ours, counts, &lists, node);
  stowage_mpi_free(&lists);
  return status;
}

#endif
