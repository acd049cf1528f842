/* Predefined datatypes by their MPI names, sized as the System V x86-64 ABI has them. */
#ifndef STOWAGE_PREDEFINED_H
#define STOWAGE_PREDEFINED_H

#include <stddef.h>
#include <stdint.h>

/* A value, and of pair types the index behind it. */
struct predefined {
  int64_t alignment, extent;
  int64_t length[2], offset[2]; /* of the second: length 0 where there is none */
  /* Those of one number are one type to MPICH; that they can be told apart is not known of those that are aligned to a
   * byte. */
  int kind;
};

/* `letters` of a name that no zero need end. 0: it is none of C. */
int predefined_of(const char *name, size_t letters, struct predefined *facts);

/* Whether it is a predefined type of Fortran, each of which is dense: its size is its extent. */
int is_fortran(const char *name, size_t letters);

/* The bytes of a type of Fortran, as compilers on x86-64 have it by default; 0: none, or one that is as long as its
 * name says. */
int64_t fortran_bytes(const char *name, size_t letters);

#endif
