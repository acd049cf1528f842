/* Code for datatypes, by their descriptions: from memory, from the cache on disk, or asked of the node's compile
 * service, never waiting for it. Any number of threads may call. What goes wrong leaves a type without code. */
#ifndef STOWAGE_CODE_STORE_H
#define STOWAGE_CODE_STORE_H

#include "stowage.h"

struct code_store;

/* One type's entry: it lives as long as its store, and so does its code. */
struct stowage_code;

/* The moves of every kernel of a store. */
enum { STORE_PACK = 0, STORE_UNPACK = 1 };

/* `folders`: those of cached artifacts, separated by colons; NULL: nothing is cached. `version` goes into the names of
 * code: that of others is never taken. `more`: bytes of each entry that are the caller's own. NULL: no memory. */
struct code_store *code_store_new(const char *folders, const char *version, size_t more);
/* Nobody may use its entries or their code any more. NULL is nothing. */
void code_store_free(struct code_store *store);

/* Whether there is code for this kind of processor at all. */
int code_store_has_level(const struct code_store *store);

/* Asks the service at a socket from now on; NULL: nobody. Nothing where one is asked already. */
void code_store_join(struct code_store *store, const char *service);
/* Leaves the service. Entries and their code stay, for messages may still be under way. */
void code_store_leave(struct code_store *store);

/* The entry of a described datatype (stowage_described's bytes, which need not stay). NULL: the store has as many types
 * as it keeps, or there is no code for this processor. In memory it takes below 2 us, from disk below 50 us, a miss
 * below 20 us. */
struct stowage_code *code_entry(struct code_store *store, const void *description, size_t length);
/* The entry of a described datatype's kernels for GPUs, which is one of its own. NULL as for code_entry. */
struct stowage_code *code_device_entry(struct code_store *store, const void *description, size_t length);

/* Its code, or NULL while there is none. While an answer is awaited it looks for it at most once a millisecond. */
const stowage_kernel *code_kernel(struct stowage_code *entry);

/* Waits until its code is there or will not come, at most so long. Whether it is there. */
int code_wait(struct stowage_code *entry, int64_t most_ns);

/* Its code is wrong: it has none from now on. 0: it had none already. */
int code_refuse(struct stowage_code *entry);

/* What the entry was made of. */
const void *code_description(const struct stowage_code *entry, size_t *length);

/* The caller's own bytes of an entry: zeros at first, aligned as malloc's. */
void *code_own(struct stowage_code *entry);

/* Calls `visit` with each entry, in no order. Entries that are made meanwhile may be left out. */
void code_store_each(struct code_store *store, void (*visit)(struct stowage_code *entry, void *context), void *context);

#endif
