/* The process's store of code (code-store.h of libstowage), with what the recording and the device know of each entry.
 * What goes wrong leaves a type without code: its messages stay native.
 *
 * The environment, read by store_open alone and not at all in a setuid program:
 *   STOWAGE_CACHE    folders of cached artifacts, separated by colons; unset: nothing is cached
 *   STOWAGE_SERVICE  the compile service's socket; unset: nothing is asked
 *   STOWAGE_VERBOSE  see say.h */
#ifndef STOWAGE_STORE_H
#define STOWAGE_STORE_H

#include "code-store.h"

/* At MPI_Init, before any other call; again for a session that begins when all others have ended. */
void store_open(void);
/* At MPI_Finalize: leaves the service. Entries and their code stay, for messages may still be under way. */
void store_close(void);

/* The entry of a described datatype: see code_entry. A commit makes one call. NULL too where the store is not open. */
struct stowage_code *store_entry(const void *description, size_t length);
/* The entry of a described datatype's kernels for GPUs, which is one of its own: where a program has GPUs. */
struct stowage_code *store_device_entry(const void *description, size_t length);

/* Calls `visit` with each entry, newest first. Entries that are made meanwhile may be left out. */
void store_each(void (*visit)(struct stowage_code *entry, void *context), void *context);

#endif
