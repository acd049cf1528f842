/* What a message past the MPI begins with in place of its bytes: where in the receiver's inbox they are, or will be.
 * The MPI carries it as the first bytes of a message of the same size and signature, so that matching, order,
 * wildcards, probes, counts, truncation and the ends of requests are its own; the rest is never written or read. */
#ifndef STOWAGE_HOST_OFFER_H
#define STOWAGE_HOST_OFFER_H

#include "inbox.h"
#include "stowage.h"

struct host_offer {
  unsigned char nonce[INBOX_NONCE_BYTES];
  uint64_t bytes;
  int32_t chunk;
  /* Whose processor packs it. */
  int32_t process;
};
enum { HOST_OFFER_BYTES = 32 };
_Static_assert(sizeof(struct host_offer) == HOST_OFFER_BYTES, "the head of a message");

/* The shortest message that is offered. */
enum { HOST_OFFER_LEAST = 4 << 10 };

/* Whether this process may be sent offers, so that it looks at what it receives. */
static inline int host_watches(void) { return inbox_own != NULL; }

/* Whether calls that receive are all hooked, to look for offers in memory where elements lie side by side
 * (messages/offered.h): where the MPI unpacks such by itself. */
HIDDEN extern int host_looks;
/* Has them hooked. NULL: they cannot be. */
HIDDEN extern void (*host_looks_begin)(void);

/* Whether the first bytes that came are an offer, which is another process's word: what leads outside is none. */
int host_offer_is(const void *head, struct host_offer *offer);

/* Moves `length` packed bytes of a message behind its first `offset`. */
typedef void host_offer_reader(void *context, size_t offset, unsigned char *packed, size_t length);

/* The elements that a message is received into, by the code of their type; NULL where that is not known, or the reader
 * is to see each byte. */
struct host_place {
  void *user;
  size_t count;
  const stowage_kernel *kernel;
};

typedef struct host_place host_offer_place(void *context);

/* What a message is read by; `place` is asked where it is not read as packed bytes. NULL: it has none. */
struct host_taker {
  host_offer_reader *read;
  host_offer_place *place;
  void *context;
};

/* Has an offered message's first `size` bytes read while they are packed, in order and in pieces cut anywhere, and
 * gives its room back: of a longer one the rest is waited for. Where its process ends before, says so in one line, and
 * raises MPI_ERR_OTHER on MPI_COMM_WORLD, for which communicator the message is of is not known here. */
void host_offer_take(const struct host_offer *offer, size_t size, const struct host_taker *taker);

#endif
