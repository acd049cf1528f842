/* Memory of one process that others of its user and host pack messages into, for it to unpack: a file without a name
 * (memfd_create(2)), which nobody finds but by the process that has it open, and of which nothing is left behind. Its
 * pages come with its first message, all at once (fallocate(2)), so that no write meets one that the system cannot
 * give. Its owner has it mapped before that: it needs nothing more to take a message. */
#ifndef STOWAGE_HOST_INBOX_H
#define STOWAGE_HOST_INBOX_H

#include "exported.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { INBOX_CHUNKS = 64, INBOX_CHUNK_BYTES = 128 << 10, INBOX_NONCE_BYTES = 16 };
/* No longer message goes by it. */
enum { INBOX_BYTES = INBOX_CHUNKS * INBOX_CHUNK_BYTES };

/* A message's pieces are of one length (host-choice.h), and lie in places of that length in its room. Behind the
 * first few a piece takes the place of one that is read, where there is one: so both sides stay in lines that their
 * caches have, however long the message is. */
enum { INBOX_LEAST_PIECE = 16 << 10, INBOX_PIECES = INBOX_BYTES / INBOX_LEAST_PIECE };

/* What is said of a message, under its first chunk: by its sender how many bytes are packed, and the place of each
 * piece; by its receiver how many are read. Lines of their own, two as the processor fetches them. */
struct inbox_message {
  _Alignas(128) atomic_size_t packed;
  uint16_t places[INBOX_PIECES];
  _Alignas(128) atomic_size_t read;
};

struct inbox {
  /* By which its owner knows what comes for it. */
  unsigned char nonce[INBOX_NONCE_BYTES];
  /* A bit a chunk: it is a message's. */
  _Atomic(uint64_t) claimed;
  struct inbox_message messages[INBOX_CHUNKS];
  _Alignas(4096) unsigned char bytes[INBOX_BYTES];
};

/* This process's own; NULL: it has none. It stays as long as the process, for what was begun before MPI_Finalize. */
HIDDEN extern struct inbox *inbox_own;

/* Makes it. 0: the system gives none. */
int inbox_make(void);
/* Before anybody knows of it. */
void inbox_unmake(void);

/* That of a process. NULL: it has none that this process may open, or there is no memory. */
struct inbox *inbox_open(pid_t process);
void inbox_close(struct inbox *inbox);

/* Chunks one behind the other for so many bytes, of which none is packed. The first's number; -1: there is no room. */
int inbox_claim(struct inbox *inbox, size_t bytes);
/* They are read, or never will be. */
void inbox_release(struct inbox *inbox, int chunk, size_t bytes);

static inline unsigned char *inbox_at(struct inbox *inbox, int chunk) {
  return inbox->bytes + (size_t)chunk * INBOX_CHUNK_BYTES;
}

#endif
