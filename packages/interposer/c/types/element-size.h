/* Where a packed stream may be cut, from a type's description. */
#ifndef STOWAGE_ELEMENT_SIZE_H
#define STOWAGE_ELEMENT_SIZE_H

#include <stddef.h>

/* The size of the basic elements that a description's type is made of, if all have one: no multiple of it cuts an
 * element. 0: they have several. */
size_t element_size(const void *description, size_t length);

#endif
