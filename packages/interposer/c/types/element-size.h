/* What a type's description says of its elements: where a packed stream may be cut, and whether it lies so already. */
#ifndef STOWAGE_ELEMENT_SIZE_H
#define STOWAGE_ELEMENT_SIZE_H

#include <stddef.h>

/* The size of the basic elements that a description's type is made of, if all have one: no multiple of it cuts an
 * element. 0: they have several. */
size_t element_size(const void *description, size_t length);

/* Whether a description's elements lie as they are packed, one behind the other, whatever their count: as far as their
 * constructors tell, which are MPI_Type_contiguous and MPI_Type_dup. */
int is_dense(const void *description, size_t length);

#endif
