/* What a message of a datatype is as packed bytes. */
#ifndef STOWAGE_GPU_TYPE_H
#define STOWAGE_GPU_TYPE_H

#include "stowage.h"

#include <mpi.h>
#include <stddef.h>

struct stowage_code;

struct device_type {
  /* For recordings; NULL: a predefined type, or one that is not known. */
  struct stowage_code *entry;
  /* Of its kernels for GPUs; NULL: there are none. */
  struct stowage_code *code;
  /* A type of as many bytes side by side: equal counts of it give the MPI's algorithms equal sizes. */
  MPI_Datatype packed;
  size_t size;
  MPI_Aint extent, true_lower, true_extent;
  /* Elements lie as they are packed, one behind the other. */
  int is_dense;
};

/* 0: the MPI would not say. Any thread. */
int device_type_of(MPI_Datatype type, struct device_type *facts);
/* The same of types that the program has committed while we looked on; of others nothing is asked. */
int device_type_known(MPI_Datatype type, struct device_type *facts);

/* A type's kernels; NULL while there are none. */
const stowage_kernel *device_type_kernel(const struct device_type *type);

#endif
