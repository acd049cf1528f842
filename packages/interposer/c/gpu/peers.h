/* The processes of one job on one host that take messages out of each other's device memory: a table in memory that
 * they share, a slot each, by their ranks in MPI_COMM_WORLD. A process is in it if it had loaded the CUDA driver when
 * MPI_Init was over: then all receives that it ever begins pass through our hooks, and an offer (placeholder.h) cannot
 * come to a buffer that nobody looks at. */
#ifndef STOWAGE_GPU_PEERS_H
#define STOWAGE_GPU_PEERS_H

#include "exported.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { PEER_SLOT_BYTES = 12288 };
enum { MOST_PEERS = 4096, ARENA_PIECES = 64, HANDLE_BYTES = 64, NONCE_BYTES = 16 };
enum peer_state { PEER_NONE, PEER_WATCHES, PEER_LEAVES };
/* What a process answers to one that asks whether its memory can be opened. */
enum peer_answer { PEER_SILENT, PEER_ASKS, PEER_OPENS, PEER_REFUSES };

struct peer_slot {
  atomic_uint state, process;
  /* How often others have asked. */
  atomic_uint asks;
  /* Its arena (arena.h): by which handle others open it, once it has one. */
  atomic_uint has_arena;
  unsigned char handle[HANDLE_BYTES];
  uint64_t arena_bytes;
  /* For each piece: the turn in which it was packed, which its device writes; the turn of which it never will be; and
   * the turn in which its reader was done with it. */
  atomic_uint ready[ARENA_PIECES], failed[ARENA_PIECES], taken[ARENA_PIECES];
  /* To others, by rank. */
  atomic_uchar answers[MOST_PEERS];
};

/* This process's rank; -1: it is in no table. */
HIDDEN extern int peer_self;
static inline int peers_are_there(void) { return UNLIKELY(peer_self >= 0); }

/* At the end of MPI_Init, once. */
void peers_join(void);
/* At the beginning of MPI_Finalize: nothing is fetched by this process any more. */
void peers_leave(void);
void peers_close(void);

struct peer_slot *peer_slot(int peer);
const unsigned char *peer_nonce(void);
/* Whether the table has a slot of this number, which another process told. */
int peer_is_known(unsigned peer);
/* The table's rank of a rank of a communicator, or of its other group, that watches too; -1: none. */
int peer_of(MPI_Comm communicator, int rank);
/* Whether a rank of the table may be the sender: `source` is one, or any rank may send. */
int peer_may_send(MPI_Comm communicator, int source);
int peer_is_alive(int peer);

/* Turns of a piece only go on: whether one has come; and that it has, whatever later one may be there. */
static inline int turn_has_come(const atomic_uint *at, unsigned turn) { return (int)(atomic_load(at) - turn) >= 0; }
static inline void turn_comes(atomic_uint *at, unsigned turn) {
  unsigned before = atomic_load(at);
  while ((int)(turn - before) > 0 && !atomic_compare_exchange_weak(at, &before, turn)) continue;
}

#endif
