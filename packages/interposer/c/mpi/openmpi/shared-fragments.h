/* Fragments in memory that processes of one host share: the segments of Open MPI's btl vader, sm from 5.0 on. */
#ifndef STOWAGE_SHARED_FRAGMENTS_H
#define STOWAGE_SHARED_FRAGMENTS_H

#include "exported.h"

/* Whether memory that a convertor packs into lies in such a segment. */
int is_shared_fragment(const void *memory);

#endif
