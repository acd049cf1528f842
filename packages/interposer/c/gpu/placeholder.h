/* Messages whose bytes the MPI does not carry. It sends a message of the same size, so that matching, probes, counts, truncation and the
 * ends of requests are its own; but of its packed stream only the first bytes are anything: an offer, by which the receiver takes the
 * bytes out of the sender's device memory. Open MPI's convertors ask us for the stream (convertor-placeholder.c), and copy nothing. */
#ifndef STOWAGE_GPU_PLACEHOLDER_H
#define STOWAGE_GPU_PLACEHOLDER_H

#include "arena.h"
#include "peers.h"

#include <mpi.h>
#include <stddef.h>

enum { OFFER_BYTES = 32 };

/* What a message begins with in place of its bytes. */
struct device_offer {
  unsigned char nonce[NONCE_BYTES];
  uint16_t owner, piece;
  uint32_t turn, at, bytes;
};
_Static_assert(sizeof(struct device_offer) == OFFER_BYTES, "the head of a message");

/* One side of a message, where the MPI believes its elements to be. */
struct device_envelope {
  union {
    struct device_offer offer;
    unsigned char first[OFFER_BYTES];
  };
  /* Bytes that are the message itself: of a receiver's that brings no offer, of a sender's that makes none. */
  unsigned char *memory;
  /* Of a receiver: how many of the first bytes came. */
  size_t came;
  /* Of a sender: to whom it may offer, -1 to nobody, and what it offers. */
  int is_sender, peer;
  struct arena_piece piece;
  /* Of either, where the memory is packed or unpacked meanwhile. */
  struct device_pipeline *pipeline;
};

/* A datatype of so many bytes whose messages are envelopes: one element, at a struct device_envelope. 0: none can be made. */
int envelope_type(size_t bytes, MPI_Datatype *type);
/* Whether a handle is such a datatype. */
int envelope_is(MPI_Datatype type);
HIDDEN extern size_t envelope_types;

/* Whether bytes that came begin with an offer. */
int envelope_offers(const struct device_offer *offer, size_t bytes);
/* The convertor's range [first, first + length). */
void envelope_pack(const struct device_envelope *envelope, size_t first, void *packed, size_t length);
void envelope_unpack(struct device_envelope *envelope, size_t first, const void *packed, size_t length);

#endif
