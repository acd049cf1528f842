/* What the routes through host memory have in common: packed bytes in memory of the host that the device reaches. */
#ifndef STOWAGE_GPU_STAGED_H
#define STOWAGE_GPU_STAGED_H

#include "route.h"
#include "staging.h"

/* The move of all of a buffer whose packed bytes begin at a place in staging memory. */
struct gpu_move staged_move(const struct gpu_buffer *buffer, const struct gpu_staging *staging, size_t at);
/* The move where no route was chosen, since the MPI wants all bytes at once: by memory of the device if the table of
 * routes says so. */
struct gpu_move staged_move_by_table(const struct gpu_buffer *buffer, const struct gpu_staging *staging, size_t at);

/* Operations of a route whose state is its staging memory: the MPI gets the packed bytes. */
int staged_give(struct message *);
/* Like staged_give, but what is sent once gets its memory in staged_begin: so its context is entered once. */
int staged_promise(struct message *);
int staged_begin(struct message *const messages[], size_t count, int is_by_scratch);
int staged_arrived(struct message *, size_t bytes, struct gpu_move *, int is_by_scratch);
void staged_release(struct message *);

#endif
