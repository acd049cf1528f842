/* An access to a file whose elements in memory are packed by our code: the MPI is given their packed bytes, and what
 * lies where in the file is its own. */
#ifndef STOWAGE_ACCESS_H
#define STOWAGE_ACCESS_H

#include "elements.h"

struct access {
  struct elements elements;
  enum stowage_direction direction; /* STOWAGE_PACK: it is written */
  /* What the MPI is given in place of the program's memory and type: as many elements, of the same size. */
  void *packed;
  MPI_Datatype type;
};

/* Packs what is written. 0: the access is native, and counted so. */
int access_begin(struct access *, MPI_File file, enum stowage_direction, const void *user, MPI_Count count,
                 MPI_Datatype type);

/* So many bytes were accessed: those that were read are unpacked. */
void access_unpack(const struct access *, size_t bytes);
/* Gives back what it holds. */
void access_free(const struct access *);

/* The MPI's call is over, and so is the access. Returns the status. */
int access_over(const struct access *, int status, const MPI_Status *told);

/* Split collective accesses, of which a file has one at most (MPI 4.1, section 14.4.5): from the call that begins it to
 * that which ends it. 0: there is no memory. */
int access_keep(const struct access *, MPI_File file);
/* 0: the file's was native. */
int access_kept(struct access *, MPI_File file);

#endif
