/* The cache on disk: one artifact a type, in files named by its key. */
#ifndef STOWAGE_CACHE_H
#define STOWAGE_CACHE_H

#include "code-entry.h"

/* Folders that others can put nothing into, and what code is named by. */
struct code_cache {
  char *folders;
  const char *level;
  char variant[96], device_variant[96];
};

/* Takes the folders of a list separated by colons; NULL: none. */
void cache_open(struct code_cache *cache, const char *folders, const char *version);
void cache_close(struct code_cache *cache);

/* The kernel of a type, from the first folder that has it; NULL where none has one that is ours, whole and of this
 * type. */
const stowage_kernel *cache_load(const struct code_cache *cache, const struct stowage_code *entry);

/* What code depends on beside the type, for stowage_key: backend-api's variantText. NULL: no code runs on this
 * processor. */
const char *cache_variant(const struct code_cache *cache);
/* What kernels for GPUs depend on beside the type, for stowage_key. */
const char *cache_device_variant(const struct code_cache *cache);

#endif
