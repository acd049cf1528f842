/* Code for datatypes, by their descriptions: from memory, from the cache on disk, or asked of the node's compile
 * service, never waiting for it. Any number of threads may call. What goes wrong leaves a type without code: its
 * messages stay native.
 *
 * The environment, read by store_open alone and not at all in a setuid program:
 *   STOWAGE_CACHE    folders of cached artifacts, separated by colons; unset: nothing is cached
 *   STOWAGE_SERVICE  the compile service's socket; unset: nothing is asked
 *   STOWAGE_VERBOSE  see say.h */
#ifndef STOWAGE_STORE_H
#define STOWAGE_STORE_H

#include "stowage.h"

/* One type's entry: it lives until the process ends, and its code is never unmapped. */
struct stowage_code;

/* The moves of every kernel of the store. */
enum { STORE_PACK = 0, STORE_UNPACK = 1 };

/* At MPI_Init, before any other call; again for a session that begins when all others have ended. */
void store_open(void);
/* At MPI_Finalize: leaves the service. Entries and their code stay, for messages may still be under way. */
void store_close(void);

/* The entry of a described datatype (stowage_described's bytes, which need not stay). A commit makes one call. NULL:
 * the store is not open, or has as many types as it keeps. In memory it takes below 2 us, from disk below 50 us, a miss
 * below 20 us. */
struct stowage_code *store_entry(const void *description, size_t length);
/* The same of its kernels for GPUs, an entry of their own: where a program has GPUs. */
struct stowage_code *store_device_entry(const void *description, size_t length);

/* Its code, or NULL while there is none: for each message. While an answer is awaited it looks for it at most once a
 * millisecond. */
const stowage_kernel *store_kernel(struct stowage_code *entry);

/* Its code is wrong: it has none from now on. 0: it had none already. */
int store_refuse(struct stowage_code *entry);

/* What the entry was made of. */
const void *store_description(const struct stowage_code *entry, size_t *length);

#endif
