/* Between UCX's generic datatypes and MPICH's handles. */
#ifndef STOWAGE_GENERIC_TYPE_H
#define STOWAGE_GENERIC_TYPE_H

#include "generic.h"

/* What UCX holds for MPICH's context, while that exists. */
struct generic_type {
  void *context;
  uint64_t datatype;
  MPI_Datatype handle;
  int is_named;
};

/* Our operations, whose context is a generic_type. */
extern const struct generic_operations generic_ours;
/* Frees what is ours of a message that is not finished. */
void generic_forget(void *message);

/* What MPICH's pack does with the state of a receiver. */
size_t generic_receiver_packs(const struct generic_type *type, void *user, size_t count, void *packed, size_t most);

/* Whether these are MPICH's operations: those of the first type that it made. */
int generic_is_known(const struct generic_operations *operations);

/* The type that this thread made last in a hooked call is this handle's. */
void generic_name(MPI_Datatype handle);

/* A receive that MPICH unpacks by itself: counted where its type is not contiguous, for which MPICH has made one of
 * UCX's. */
void generic_received(MPI_Datatype handle, size_t count);

/* The type that this thread made last, for the self-test, which makes one behind the hooks. */
struct generic_type *generic_made(void);
extern int generic_watches;

#endif
