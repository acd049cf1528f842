/* This process's device memory that others open (CUDA IPC): packed bytes of messages lie in it until their receivers
 * have taken them. */
#ifndef STOWAGE_GPU_ARENA_H
#define STOWAGE_GPU_ARENA_H

#include "context.h"

#include <stdint.h>

/* No longer message goes from GPU memory to GPU memory. */
enum { ARENA_BYTES = 64 << 20 };

/* A piece of the arena, from the call that packs into it to its reader's word that it was read. */
struct arena_piece {
  int index; /* -1: none */
  unsigned turn;
  size_t at;
  gpu_address address;
  /* Where the device writes the turn when the piece is packed; 0: the host does. */
  gpu_address flag;
};

/* With the context of a place entered: makes the arena where there is none yet. Whether it is this context's. */
int arena_is_of(struct gpu_context *context, const struct gpu_place *place);
/* This process's own arena, for what it sends to itself: reached in its context behind all that was begun there; or
 * copied to the host. */
int arena_own(const struct gpu_context *context, gpu_address *base);
int arena_read(size_t at, void *to, size_t bytes);
/* For a message to a peer. 0: there is no room, now. */
int arena_take(size_t bytes, int peer, struct arena_piece *piece);
/* Whether the piece is packed; that it is; that it cannot be. */
int arena_has_packed(const struct arena_piece *piece);
void arena_is_packed(const struct arena_piece *piece);
void arena_has_failed(const struct arena_piece *piece);
int arena_did_fail(unsigned index, unsigned turn);
/* Waits until a peer's piece is packed, by its device. 0: it never will be, for it failed or its process is gone. */
int arena_awaits(int owner, unsigned index, unsigned turn);
/* A message that nobody will read. */
void arena_give(const struct arena_piece *piece);
/* Whether all have been read, or their readers are gone. */
int arena_is_read(void);

#endif
