/* Both sides of messages from GPU memory to GPU memory (CUDA IPC and its like): the sender packs into its arena and
 * sends an offer, the receiver unpacks out of the arena, and says so. A placeholder carries an offer or the message
 * itself, through host memory, whichever it turns out to be. */
#ifndef STOWAGE_GPU_IPC_H
#define STOWAGE_GPU_IPC_H

#include "offer.h"
#include "route.h"

#include <string.h>

/* What the MPI is given of a message through host memory, byte by byte. */
static inline void given_pack(const struct message *m, size_t first, void *packed, size_t length) {
  if (m->given.placeholder != NULL) m->given.placeholder->pack(m->given.placeholder, first, packed, length);
  else memcpy(packed, (const unsigned char *)m->given.memory + first, length);
}

static inline void given_unpack(const struct message *m, size_t first, const void *packed, size_t length) {
  if (m->given.placeholder != NULL) m->given.placeholder->unpack(m->given.placeholder, first, packed, length);
  else memcpy((unsigned char *)m->given.memory + first, packed, length);
}

/* How many of a range's bytes are the head's. */
static inline size_t of_head(size_t first, size_t length) {
  const size_t end = first + length < OFFER_BYTES ? first + length : OFFER_BYTES;
  return first < end ? end - first : 0;
}

/* What a received message begins with, and the offer that it was, until its bytes are taken. */
struct ipc_head {
  size_t came;
  struct offer head, offered;
  int is_offered;
};

/* Bytes have come. Whether they are the message's: until all of the head is there, and where it is no offer. */
int head_came(struct ipc_head *head, size_t first, const void *packed, size_t length);
/* Whether so many bytes of a message are an offer. */
int head_offers(struct ipc_head *head, size_t bytes);
/* They were taken, or never will be: a message that was not taken may have offered something all the same. */
void head_taken(struct ipc_head *head);

/* Where the offered bytes lie for a context of a place; 0: no context of ours reaches the sender's arena, or, with a
 * result, they never will be there. */
gpu_address ipc_reach(const struct offer *offer, const struct gpu_place *place, int *result);
/* Copies the offered bytes to memory of the host. 0 or the driver's result. */
int ipc_read(const struct offer *offer, void *to);

/* Processes ask whether their memory can be opened here: answers, in the context of a place. */
void ipc_answer(const struct gpu_place *place);
/* Before MPI_Finalize: what this process offered is read by others, or they are gone. */
void ipc_finish(void);

#endif
