/* What a message of a datatype is as packed bytes. */
#ifndef STOWAGE_GPU_TYPE_H
#define STOWAGE_GPU_TYPE_H

#include "stowage.h"

#include <mpi.h>
#include <stddef.h>

struct stowage_code;

struct gpu_type {
  /* For recordings; NULL: a predefined type, or one that is not known. */
  struct stowage_code *entry;
  /* The entry of its kernels for GPUs; NULL: there are none. */
  struct stowage_code *code;
  /* A type of as many bytes side by side: equal counts of it give the MPI's algorithms equal sizes. */
  MPI_Datatype packed;
  size_t size;
  MPI_Aint extent, true_lower, true_extent;
  /* Elements lie as they are packed, one behind the other. */
  int is_dense;
};

/* 0: the MPI would not say. Any thread. */
int gpu_type_of(MPI_Datatype type, struct gpu_type *facts);
/* Facts of a type that the program has committed while we looked on; of others nothing is asked. 0: it is none such. */
int gpu_type_known(MPI_Datatype type, struct gpu_type *facts);

/* A type's kernels; NULL while there are none. */
const stowage_kernel *gpu_type_kernel(const struct gpu_type *type);

#endif
