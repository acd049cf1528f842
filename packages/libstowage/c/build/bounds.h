/* Size and bounds of one element, by the standard's rule, Open MPI's or MPICH's: those of packages/ir/src/bounds. */
#ifndef STOWAGE_BUILD_BOUNDS_H
#define STOWAGE_BUILD_BOUNDS_H

#include "predefined.h"
#include "stowage_types.h"

struct build_bounds {
  int64_t size, lower, extent, true_lower, true_extent, alignment;
  /* Whether a user set them, of this type or of one inside, and they are sticky. Never by MPICH's rule. */
  int is_explicit;
  /* Which object of MPICH's they are: constructors that change nothing give the type back that they were given, and a
   * struct is padded unless its members are all one type. 0: of nothing; FRESH: a new one. */
  uint64_t identity;
};

#define BOUNDS_FRESH UINT64_MAX

/* A constructor's arguments, in the order of MPI_Type_get_contents, and its children's bounds. */
struct build_contents {
  enum stowage_combiner combiner;
  const int64_t *integers, *addresses;
  size_t integer_count, address_count, child_count;
  const struct build_bounds *const *children;
};

/* *is_over: a number is beyond 64 bits. */
struct build_bounds bounds_by(enum stowage_rule rule, const struct build_contents *contents, int *is_over);

struct build_bounds predefined_bounds(const struct predefined *facts);

#endif
