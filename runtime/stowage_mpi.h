/* The description of an MPI handle's datatype, for stowage_key and stowage_description. Needs the MPI's own mpi.h; the
 * rest of the library does not. */
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

/* An MPI's numbers of arrays. */
struct stowage_mpi_numbers {
  int64_t order_c, block, cyclic, default_argument;
};

/* Those that an array with this order was given in. Under the standard's ABI Open MPI 6.0 gives back its own, among
 * which no order is one of the standard's (MPI 5.0, appendix A.1). */
static struct stowage_mpi_numbers stowage_mpi_numbers_of(int64_t order) {
  const struct stowage_mpi_numbers of_mpi = {MPI_ORDER_C, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC,
                                             MPI_DISTRIBUTE_DFLT_DARG},
                                   of_open_mpi = {0, 0, 1, -1};
  return order == 0 || order == 1 ? of_open_mpi : of_mpi;
}

/* The MPI's constants become ours. Subarray: dimensions, sizes, subsizes, starts, order. Darray: size, rank,
 * dimensions, sizes, distributions, arguments, processes, order. MPI 4.1, section 5.1.13. */
static void stowage_mpi_constants(enum stowage_combiner combiner, int64_t *integers, size_t count) {
  if (combiner != STOWAGE_SUBARRAY && combiner != STOWAGE_DARRAY) return;
  const struct stowage_mpi_numbers numbers = stowage_mpi_numbers_of(integers[count - 1]);
  integers[count - 1] = integers[count - 1] == numbers.order_c ? STOWAGE_ORDER_C : STOWAGE_ORDER_FORTRAN;
  if (combiner != STOWAGE_DARRAY) return;
  const size_t dimensions = (size_t)integers[2];
  int64_t *distributions = integers + 3 + dimensions, *arguments = distributions + dimensions;
  for (size_t i = 0; i < dimensions; i++) {
    distributions[i] = distributions[i] == numbers.block    ? STOWAGE_DISTRIBUTE_BLOCK
                       : distributions[i] == numbers.cyclic ? STOWAGE_DISTRIBUTE_CYCLIC
                                                            : STOWAGE_DISTRIBUTE_NONE;
    if (arguments[i] == numbers.default_argument) arguments[i] = STOWAGE_DISTRIBUTE_DFLT_DARG;
  }
}

static enum stowage_status stowage_describe_mpi(stowage_describer *describer, MPI_Datatype type, uint32_t *node);

/* How many of each a handle's contents have. `counts`: of a type that a constructor with MPI_Count made (MPI 4.1,
 * section 2.5.8). */
struct stowage_mpi_counts {
  size_t integers, addresses, counts, types;
  int combiner;
};

#if MPI_VERSION >= 4 && !defined(STOWAGE_MPI_HAS_LARGE)
#define STOWAGE_MPI_HAS_LARGE 1
#endif

/* 0: this MPI does not tell. Of types made with MPI_Count the call without _c is an error. */
static int stowage_mpi_envelope(MPI_Datatype type, struct stowage_mpi_counts *envelope) {
  int combiner;
#ifdef STOWAGE_MPI_HAS_LARGE
  MPI_Count large[4] = {0};
  if (STOWAGE_MPI_HAS_LARGE) {
    if (MPI_Type_get_envelope_c(type, &large[0], &large[1], &large[2], &large[3], &combiner) != MPI_SUCCESS) return 0;
    *envelope =
        (struct stowage_mpi_counts){(size_t)large[0], (size_t)large[1], (size_t)large[2], (size_t)large[3], combiner};
    return 1;
  }
#endif
  int numbers[3] = {0};
  if (MPI_Type_get_envelope(type, &numbers[0], &numbers[1], &numbers[2], &combiner) != MPI_SUCCESS) return 0;
  *envelope = (struct stowage_mpi_counts){(size_t)numbers[0], (size_t)numbers[1], 0, (size_t)numbers[2], combiner};
  return 1;
}

/* A child's handle is the caller's to free, unless it is a predefined one. */
static void stowage_mpi_release(MPI_Datatype type) {
  struct stowage_mpi_counts envelope = {0, 0, 0, 0, MPI_COMBINER_NAMED};
  if (!stowage_mpi_envelope(type, &envelope)) return;
  if (envelope.combiner != MPI_COMBINER_NAMED && envelope.combiner != MPI_COMBINER_F90_REAL &&
      envelope.combiner != MPI_COMBINER_F90_COMPLEX && envelope.combiner != MPI_COMBINER_F90_INTEGER)
    MPI_Type_free(&type);
}

/* As the MPI gives them, and as a description takes them. */
struct stowage_mpi_lists {
  int *ints;
  MPI_Aint *aints;
  MPI_Count *counts;
  MPI_Datatype *types;
  int64_t *integers, *addresses;
  uint32_t *children;
};

static void stowage_mpi_free(struct stowage_mpi_lists *lists) {
  free(lists->ints);
  free(lists->aints);
  free(lists->counts);
  free(lists->types);
  free(lists->integers);
  free(lists->addresses);
  free(lists->children);
}

static int stowage_mpi_allocate(struct stowage_mpi_lists *lists, const struct stowage_mpi_counts *envelope) {
  const size_t integers = envelope->integers + envelope->counts + 1,
               addresses = envelope->addresses + envelope->counts + 1;
  lists->ints = (int *)calloc(integers, sizeof *lists->ints);
  lists->aints = (MPI_Aint *)calloc(addresses, sizeof *lists->aints);
  lists->counts = (MPI_Count *)calloc(envelope->counts + 1, sizeof *lists->counts);
  lists->types = (MPI_Datatype *)calloc(envelope->types + 1, sizeof *lists->types);
  lists->integers = (int64_t *)calloc(integers, sizeof *lists->integers);
  lists->addresses = (int64_t *)calloc(addresses, sizeof *lists->addresses);
  lists->children = (uint32_t *)calloc(envelope->types + 1, sizeof *lists->children);
  return lists->ints && lists->aints && lists->counts && lists->types && lists->integers && lists->addresses &&
         lists->children;
}

static int stowage_mpi_contents(MPI_Datatype type, const struct stowage_mpi_counts *envelope,
                                struct stowage_mpi_lists *lists) {
#ifdef STOWAGE_MPI_HAS_LARGE
  if (envelope->counts > 0)
    return MPI_Type_get_contents_c(type, (MPI_Count)envelope->integers, (MPI_Count)envelope->addresses,
                                   (MPI_Count)envelope->counts, (MPI_Count)envelope->types, lists->ints, lists->aints,
                                   lists->counts, lists->types) == MPI_SUCCESS;
#endif
  return MPI_Type_get_contents(type, (int)envelope->integers, (int)envelope->addresses, (int)envelope->types,
                               lists->ints, lists->aints, lists->types) == MPI_SUCCESS;
}

/* How many of a type's large counts are addresses of the same type made with int: its last ones. MPI 4.1,
 * section 5.1.13. */
static size_t stowage_mpi_late(enum stowage_combiner combiner, const struct stowage_mpi_lists *lists, size_t counts) {
  if (counts == 0) return 0;
  switch (combiner) {
  case STOWAGE_HVECTOR: return 1;
  case STOWAGE_RESIZED: return 2;
  case STOWAGE_HINDEXED:
  case STOWAGE_STRUCT: return (size_t)lists->counts[0];
  case STOWAGE_HINDEXED_BLOCK: return counts - 2;
  default: return 0;
  }
}

/* Large counts take the places that ints have, so that equal types are described alike: behind the dimensions of a
 * subarray, behind size, rank and dimensions of a darray, else first. */
static void stowage_mpi_merge(enum stowage_combiner combiner, struct stowage_mpi_counts *envelope,
                              struct stowage_mpi_lists *lists) {
  const size_t late = stowage_mpi_late(combiner, lists, envelope->counts), early = envelope->counts - late;
  const size_t head = early == 0 ? 0 : combiner == STOWAGE_SUBARRAY ? 1 : combiner == STOWAGE_DARRAY ? 3 : 0;
  for (size_t i = 0; i < envelope->integers; i++) lists->integers[i < head ? i : i + early] = lists->ints[i];
  for (size_t i = 0; i < early; i++) lists->integers[head + i] = lists->counts[i];
  for (size_t i = 0; i < envelope->addresses; i++) lists->addresses[i] = lists->aints[i];
  for (size_t i = 0; i < late; i++) lists->addresses[envelope->addresses + i] = lists->counts[early + i];
  envelope->integers += early;
  envelope->addresses += late;
}

static enum stowage_status stowage_mpi_made(stowage_describer *describer, MPI_Datatype type,
                                            enum stowage_combiner combiner, struct stowage_mpi_counts *envelope,
                                            struct stowage_mpi_lists *lists, uint32_t *node) {
  MPI_Aint lower_bound, extent;
  MPI_Type_get_extent(type, &lower_bound, &extent);
  if (!stowage_mpi_contents(type, envelope, lists)) return STOWAGE_DESCRIPTION;
  stowage_mpi_merge(combiner, envelope, lists);
  stowage_mpi_constants(combiner, lists->integers, envelope->integers);
  enum stowage_status status = STOWAGE_OK;
  for (size_t i = 0; i < envelope->types; i++) {
    if (status == STOWAGE_OK) status = stowage_describe_mpi(describer, lists->types[i], &lists->children[i]);
    stowage_mpi_release(lists->types[i]);
  }
  if (status != STOWAGE_OK) return status;
  const struct stowage_contents contents = {lists->integers,    lists->addresses,    lists->children,
                                            envelope->integers, envelope->addresses, envelope->types};
  return stowage_describe_node(describer, combiner, &contents, lower_bound, extent, node);
}

/* Adds a handle's datatype with all that it is made of; `node` gets its number. STOWAGE_DESCRIPTION: a datatype that no
 * description takes, such as one of MPI_Type_create_f90_real, or an MPI that does not tell. */
static enum stowage_status stowage_describe_mpi(stowage_describer *describer, MPI_Datatype type, uint32_t *node) {
  struct stowage_mpi_counts envelope = {0, 0, 0, 0, MPI_COMBINER_NAMED};
  if (!stowage_mpi_envelope(type, &envelope)) return STOWAGE_DESCRIPTION;
  const int ours = stowage_mpi_combiner(envelope.combiner);
  if (ours == STOWAGE_MPI_NONE) return STOWAGE_DESCRIPTION;
  if (ours == STOWAGE_NAMED) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Aint lower_bound, extent;
    MPI_Type_get_name(type, name, &length);
    MPI_Type_get_extent(type, &lower_bound, &extent);
    return stowage_describe_named(describer, name, lower_bound, extent, node);
  }
  struct stowage_mpi_lists lists = {NULL, NULL, NULL, NULL, NULL, NULL, NULL};
  enum stowage_status status = STOWAGE_NO_MEMORY;
  if (stowage_mpi_allocate(&lists, &envelope))
    status = stowage_mpi_made(describer, type, (enum stowage_combiner)ours, &envelope, &lists, node);
  stowage_mpi_free(&lists);
  return status;
}

#endif
