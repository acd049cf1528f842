/* The cache on disk: one artifact a type, in files named by its key. */
#ifndef STOWAGE_CACHE_H
#define STOWAGE_CACHE_H

#include "entry.h"

/* Takes the folders of a list separated by colons; NULL: none. */
void cache_open(const char *folders);

/* The kernel of a type, from the first folder that has it; NULL where none has one that is ours, whole and of this
 * type. */
const stowage_kernel *cache_load(const struct stowage_code *entry);

/* What code depends on beside the type, for stowage_key: backend-api's variantText. NULL: no code runs on this
 * processor. */
const char *cache_variant(void);
/* The same of kernels for GPUs. */
const char *cache_device_variant(void);

#endif
