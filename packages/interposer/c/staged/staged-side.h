/* One side of a collective of the host in mode staged: the MPI is given as many elements of as many bytes each, by
 * which its algorithms go, whatever the others of the communicator give. A side is staged as a whole, or not. */
#ifndef STOWAGE_STAGED_SIDE_H
#define STOWAGE_STAGED_SIDE_H

#include "elements.h"
#include "pieces.h"
#include "way-choice.h"

/* A piece, or a message, to be packed or unpacked as those of any other call are. */
struct elements staged_elements_of(const struct gpu_buffer *buffer, const struct type_code *code);

/* Whether a side is staged now. It is sent, received, or both where MPI_IN_PLACE is sent. `tried` gets where the call
 * is tried, natively or not, or NULL. */
int staged_side_is_chosen(const struct piece_list *list, enum stowage_direction direction, int is_sent,
                          struct way_choice **tried);

#endif
