/* Memory of one process that others of its user and host pack messages into, for it to unpack: a file without a name
 * (memfd_create(2)), which nobody finds but by the process that has it open, and of which nothing is left behind. Its
 * pages come with the first message that needs them, before anything is written there, so that no write meets one that
 * the system cannot give. Its owner has it mapped before that: it needs nothing more to take a message. */
#ifndef STOWAGE_HOST_INBOX_H
#define STOWAGE_HOST_INBOX_H

#include "exported.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { INBOX_CHUNKS = 2048, INBOX_CHUNK_BYTES = 4 << 10, INBOX_NONCE_BYTES = 16 };
/* Blocks of others' memory that an owner may have mapped, and in how many places, one behind the other, each may be. */
enum { INBOX_SEEN = 256, INBOX_SEEN_PLACES = 8 };
enum { INBOX_BYTES = INBOX_CHUNKS * INBOX_CHUNK_BYTES };

/* A message's pieces are of one length, and lie in places of that length in its room. Behind the first few a piece
 * takes the place of one that is read, where there is one: so both sides stay in lines that their caches have, however
 * long the message is. Not at once, for the receiver's L1d has what it has just read, and a line that is written takes
 * twice as long to come from there as from its L2 (docs/notes/2026-11-29-lines.md). */
enum { INBOX_LEAST_PIECE = 4 << 10, INBOX_MOST_PIECE = 16 << 10, INBOX_PIECES = INBOX_BYTES / INBOX_MOST_PIECE };
enum { INBOX_FRESH_BYTES = 256 << 10 };

/* Where a message's elements are: in its room, packed, or on the way there; where they lie in memory of the sender's
 * (host-lying.h), until the receiver begins to read them there, or the sender to pack them after all; being read; read.
 */
enum { INBOX_PACKED, INBOX_LYING, INBOX_READING, INBOX_READ };

/* What a message's room begins with: by its sender how many bytes are packed, how long a piece is, and the place of
 * each; where its elements are; the block of memory (heap.h) that they lie in, of which its receiver does not know yet,
 * or 0, and its file, or where the word lies that stands for all memory (host-reads.h); by its receiver how many are
 * read, where places are taken again. Lines of their own, two as the processor fetches them. */
struct inbox_message {
  _Alignas(128) atomic_size_t packed;
  _Atomic(uint32_t) piece, state;
  _Atomic(uint64_t) block, word;
  _Atomic(int32_t) file;
  _Atomic(uint16_t) places[INBOX_PIECES];
  _Alignas(128) atomic_size_t read;
  _Alignas(128) unsigned char bytes[];
};
/* No longer message goes by it. */
enum { INBOX_MOST_BYTES = INBOX_BYTES - sizeof(struct inbox_message) };

struct inbox {
  /* By which its owner knows what comes for it. */
  unsigned char nonce[INBOX_NONCE_BYTES];
  /* A bit a chunk: it is a message's. */
  _Alignas(128) _Atomic(uint64_t) claimed[INBOX_CHUNKS / 64];
  /* By its owner: the blocks of others' memory that it has mapped, each in one of the places that its id says; or 0. */
  _Alignas(128) _Atomic(uint64_t) seen[INBOX_SEEN];
  _Alignas(4096) unsigned char rooms[INBOX_BYTES];
};

/* This process's own; NULL: it has none. It stays as long as the process, for what was begun before MPI_Finalize. */
HIDDEN extern struct inbox *inbox_own;

/* Makes it. 0: the system gives none. */
int inbox_make(void);
/* Before anybody knows of it. */
void inbox_unmake(void);

/* What this process has of another's: where it takes its next room, and how many bytes of rooms it has pages of. */
struct inbox_use {
  int next;
  size_t there;
};

/* That of a process. NULL: it has none that this process may open, or there is no memory. */
struct inbox *inbox_open(pid_t process, struct inbox_use *use);
void inbox_close(struct inbox *inbox);

/* Has this process's pages of it made, as far as most messages need: else each of the first ones would wait for the
 * system. */
void inbox_touch(const struct inbox *inbox);

/* A room for so many bytes, of which none is packed: the number of its first chunk; -1: there is none. Any thread. */
int inbox_claim(struct inbox *inbox, size_t bytes, struct inbox_use *use);
/* They are read, or never will be. */
void inbox_release(struct inbox *inbox, int chunk, size_t bytes);

/* Where a piece of a message is, behind what says that it is packed. */
static inline size_t inbox_place(const struct inbox_message *m, size_t number) {
  return atomic_load_explicit(&m->places[number], memory_order_relaxed);
}
static inline void inbox_put(struct inbox_message *m, size_t number, size_t place) {
  atomic_store_explicit(&m->places[number], (uint16_t)place, memory_order_relaxed);
}

/* Where a block of an id may be. */
static inline size_t inbox_seen_place(uint64_t id, int i) { return (size_t)((id + (uint64_t)i) % INBOX_SEEN); }

/* Whether a message of so many bytes takes places again. */
static inline int inbox_reuses(size_t bytes) { return bytes > INBOX_FRESH_BYTES; }

static inline struct inbox_message *inbox_at(struct inbox *inbox, int chunk) {
  return (struct inbox_message *)(inbox->rooms + (size_t)chunk * INBOX_CHUNK_BYTES);
}
/* Whether a room is inside. */
static inline int inbox_has(int chunk, size_t bytes) {
  return chunk >= 0 && chunk < INBOX_CHUNKS && bytes > 0 && bytes <= INBOX_MOST_BYTES &&
         bytes + sizeof(struct inbox_message) <= (size_t)(INBOX_CHUNKS - chunk) * INBOX_CHUNK_BYTES;
}

#endif
