/* The program's committed datatypes: from a handle to its code. */
#ifndef STOWAGE_TYPES_H
#define STOWAGE_TYPES_H

#include "stowage.h"

#include <mpi.h>
#include <stddef.h>

struct stowage_code;

/* What moves a message, decided once for it. */
struct type_code {
  struct stowage_code *entry;
  const stowage_kernel *kernel;
  /* Bytes of one element's packed stream. */
  size_t size_bytes;
  /* No multiple of it cuts a basic element. */
  size_t period_bytes;
  /* The mean length of a contiguous run; 0: not known. */
  size_t run_bytes;
  /* Elements lie as they are packed, one behind the other. */
  int is_dense;
};

/* 0: this handle's messages are native, for now or for good; of a committed type its entry, and whether it is dense,
 * are set all the same. Any thread, any number of times. */
int types_find(MPI_Datatype type, struct type_code *code);

/* Another number whenever a handle has been committed, or is gone: what was found of any handle may be otherwise now.
 */
unsigned types_changes(void);

/* The size of a handle's elements, committed or predefined, where they lie as they are packed, one behind the other; 0:
 * they do not, or are empty. */
size_t types_dense_bytes(MPI_Datatype type);

/* Whether there is what moves elements of a handle: code, or that they lie as they are packed, without. */
int types_are_movable(MPI_Datatype type, struct type_code *code);

/* A handle was committed: describes it, and asks for its code, that for devices too if the program has any. Never
 * fails, never waits. */
void types_committed(MPI_Datatype type, int is_for_devices);
/* A second handle of a type was made. */
void types_duplicated(MPI_Datatype from, MPI_Datatype to);
/* A handle was given out once more, or is about to be freed. */
void types_held(MPI_Datatype type);
void types_freed(MPI_Datatype type);

/* A handle of our own of a type, which the program may free. 0: there is none. */
int types_keep(MPI_Datatype type, MPI_Datatype *own);
void types_drop(MPI_Datatype *own);

/* Whether types that are not contiguous were committed where no message is seen by us. Looked at for a summary alone.
 */
int types_unseen(void);

/* The type of the self-test, while that runs. */
void types_probe(MPI_Datatype type);

#endif
