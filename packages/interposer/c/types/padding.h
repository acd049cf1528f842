/* Bytes of a packed stream that mean nothing. */
#ifndef STOWAGE_PADDING_H
#define STOWAGE_PADDING_H

#include <stddef.h>
#include <stdint.h>

/* Whether byte `position` of a described type's packed stream pads a long double, which has 10 bytes of 16 on x86: some
 * MPIs copy those alone. Of darrays inside structs it is not known: 0. */
int is_padding(const void *description, size_t length, uint64_t position);

#endif
