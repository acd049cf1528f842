/* Messages from one process's device memory to another's, past the host: the sender packs into its arena and sends an envelope
 * (placeholder.h), the receiver unpacks out of the arena, and says so. */
#ifndef STOWAGE_GPU_ROUTE_IPC_H
#define STOWAGE_GPU_ROUTE_IPC_H

#include "buffer.h"

/* A send: packs the buffer into the arena, and has the MPI given an envelope. 0: it goes by way of the host; nothing was done. */
int direct_send(struct device_buffer *buffer, int target, MPI_Comm communicator);
/* The same of a nonblocking send, which may be packed later, together with others (pending.h). */
int direct_isend(struct device_buffer *buffer, int target, MPI_Comm communicator);
/* Begins to pack those that waited; what fails is told by direct_sent. */
void direct_pack_pending(struct device_buffer *const buffers[], size_t count);
/* A persistent send: the MPI is given an envelope, which carries an offer or the message, as it turns out at each start. 0: as direct_send. */
int direct_keep(struct device_buffer *buffer, int target, MPI_Comm communicator);
/* Persistent sends of one call are started: packs all, those past the host by one launch. MPI_SUCCESS or a class. */
int direct_start(struct device_buffer *const buffers[], size_t count);
/* The MPI is done with it: waits until its bytes are packed, so that the program may write them. MPI_SUCCESS or a class. */
int direct_sent(struct device_buffer *buffer);
/* A receive whose buffer has staging memory: what comes may be an envelope, whose bytes the MPI then need not copy. */
void direct_receive(struct device_buffer *buffer, int source, MPI_Comm communicator);
/* A receive into memory of the host, that an offer may come to. 0: none can. */
int direct_host_receive(void *user, int count, MPI_Datatype type, int source, MPI_Comm communicator, struct device_buffer *buffer);
/* A receive begins anew: at each start of a persistent one. */
void direct_restart(struct device_buffer *buffer);

/* So many bytes have arrived: where they are offered, the buffer's packed bytes lie there until direct_end. MPI_SUCCESS or a class. */
int direct_begin(struct device_buffer *buffer, size_t bytes);
/* They were taken, or never will be. */
void direct_end(struct device_buffer *buffer);
/* The MPI has dropped the message: nobody will read what a send offers. */
void direct_drop(struct device_buffer *buffer);
/* The buffer's own part. */
void direct_release(struct device_buffer *buffer);

/* Before MPI_Finalize: what this process offered is read by others, or they are gone. */
void direct_finish(void);

#endif
