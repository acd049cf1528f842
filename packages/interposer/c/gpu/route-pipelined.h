/* Messages by way of the host in pieces: a sent one is packed piece by piece, and the MPI is given what is packed while the device goes
 * on; of a received one what has come is unpacked while the rest is still coming. To the MPI they are envelopes (placeholder.h),
 * whose bytes Open MPI's convertors ask us for in the order of the stream. Other MPIs take a message whole. */
#ifndef STOWAGE_GPU_ROUTE_PIPELINED_H
#define STOWAGE_GPU_ROUTE_PIPELINED_H

#include "buffer.h"

struct device_pipeline;

/* A buffer that is to be sent by way of the host, and has its staging memory. Its MPI's part is an envelope where the route is one of
 * pieces. Packs nothing. */
void pipeline_keep(struct device_buffer *buffer);
/* Packs such buffers, those of pieces at least begun. MPI_SUCCESS or a class. */
int pipeline_pack(struct device_buffer *const buffers[], size_t count);
/* Both, of one buffer, behind device_stage. */
int pipeline_send(struct device_buffer *buffer);
/* The MPI is done with it: all of it is packed. MPI_SUCCESS or a class. */
int pipeline_sent(struct device_buffer *buffer);

/* A receive that has staging memory, and perhaps an envelope. */
void pipeline_receive(struct device_buffer *buffer);
void pipeline_restart(struct device_buffer *buffer);
/* How many bytes of the stream are unpacked, or will be in the order of our stream. */
size_t pipeline_unpacked(const struct device_buffer *buffer);

/* Nothing of it is under way when it returns. */
void pipeline_release(struct device_buffer *buffer);

/* --- The convertors' side --- */

/* Waits until the first `end` bytes are packed; 0: they never will be. */
int pipeline_awaits(struct device_pipeline *pipeline, size_t end);
/* Bytes [first, first + length) lie in the staging memory. */
void pipeline_came(struct device_pipeline *pipeline, size_t first, size_t length);

#endif
