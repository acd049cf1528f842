/* How files represent data (MPI 4.1, section 14.5): packed bytes stand for elements in "native" alone, where the file
 * has the bytes of memory. */
#ifndef STOWAGE_REPRESENTATION_H
#define STOWAGE_REPRESENTATION_H

#include <mpi.h>

/* A file's view has been set, with a representation of this name. */
void representation_set(MPI_File file, const char *name);
/* A file is about to be closed. */
void representation_forget(MPI_File file);

/* "native" is what a file is opened with. */
int representation_is_native(MPI_File file);

#endif
