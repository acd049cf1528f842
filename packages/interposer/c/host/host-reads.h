/* Elements in any memory of another process's, read by the system (process_vm_readv(2)), which copies at once from
 * where they lie to where they are to lie. STOWAGE_HOST_READS says from how many bytes a run on; without it none are.
 * Whether a process may is asked once: Yama, seccomp and namespaces may be against it. */
#ifndef STOWAGE_HOST_READS_H
#define STOWAGE_HOST_READS_H

#include "exported.h"
#include "run-cursor.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The mean length of runs from which on they are read so; SIZE_MAX: never. */
size_t host_reads_from(void);

/* A word of this process's that no other has: it stands for all of its memory, as a block's id does (heap.h). 0: there
 * is none. */
uint64_t host_reads_id(void);
/* Where it lies, for others to look. */
uint64_t host_reads_place(void);
/* Whether this process may read another's, which has that word there. */
int host_reads_may(pid_t process, uint64_t id, uint64_t place);

/* Reads so many bytes of another's runs, from where a cursor is on, to those of this process's. How many were. */
size_t host_reads(pid_t process, struct run_cursor *from, struct run_cursor *to, size_t bytes);

#endif
