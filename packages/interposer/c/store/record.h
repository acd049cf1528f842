/* What a rank did with its datatypes, where STOWAGE_RECORD names a folder; without it every call returns at once. */
#ifndef STOWAGE_RECORD_H
#define STOWAGE_RECORD_H

#include "store.h"

/* Whether to take times at all: clocks need not be read where this is 0. */
int record_wanted(void);

/* A commit of the type; NULL, an entry that could not be made, is nothing. */
void record_commit(struct stowage_code *entry);

/* A message, or a call of MPI_Pack or MPI_Unpack, of `bytes` packed bytes. `pack_ns`: in packing or unpacking;
 * `call_ns`: in the MPI call as a whole. `ours`: whether our code moved them. NULL: a message of a predefined type,
 * counted as one of no entry. */
void record_message(struct stowage_code *entry, enum stowage_direction direction, int64_t bytes, int64_t pack_ns,
                    int64_t call_ns, int ours);

/* Packing that is not over when a message is recorded, fragment by fragment: the time since record_start, which is 0
 * and counts for nothing where no times are taken. */
int64_t record_start(void);
void record_packed(struct stowage_code *entry, enum stowage_direction direction, int64_t start_ns, int ours);

/* Time in a call of the MPI that begins so many messages, or waits for some (0) that others began. NULL: of predefined
 * types. */
void record_called(struct stowage_code *entry, enum stowage_direction direction, int64_t messages, int64_t bytes,
                   int64_t call_ns);

/* At MPI_Finalize: one file for this rank of a program of `mpi`, written beside and renamed. */
void record_write(int rank, const char *mpi);

#endif
