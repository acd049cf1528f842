#include "arena.h"

#include "peers.h"
#include "say.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { ALIGN = 256 };

static pthread_mutex_t arena = PTHREAD_MUTEX_INITIALIZER;
static struct gpu_context *of;
static unsigned long long of_id;
static struct gpu_place of_place;
static gpu_address base;
static gpu_address flags;
static int is_refused;

static struct taken {
  int is_taken, peer;
  unsigned turn;
  size_t at, end;
} pieces[ARENA_PIECES];

/* Where this process's device reaches its turns; 0: it does not. */
static gpu_address reached(struct peer_slot *slot) {
  gpu_address address = 0;
  if (!driver_has_flags() || driver_pin(slot, PEER_SLOT_BYTES, &address) != 0) return 0;
  return address + offsetof(struct peer_slot, ready);
}

/* Its handle is written before it is said to be there. */
static int make(struct gpu_context *context, const struct gpu_place *place) {
  struct peer_slot *slot = peer_slot(peer_self);
  struct gpu_handle handle;
  if (!driver_shares() || driver_allocate(&base, ARENA_BYTES) != 0) return 0;
  const int result = driver_share(base, &handle);
  if (result != 0) {
    say("messages between devices: expected a handle of device memory, got result %d: they go through host memory",
        result);
    driver_free(base);
    return 0;
  }
  memcpy(slot->handle, handle.bytes, sizeof handle.bytes);
  slot->arena_bytes = ARENA_BYTES;
  flags = reached(slot);
  of = context;
  of_id = context->id;
  of_place = *place;
  atomic_store(&slot->has_arena, 1);
  return 1;
}

/* One context has it. Where that is gone, so is the memory: there is no other. */
int arena_is_of(struct gpu_context *context, const struct gpu_place *place) {
  pthread_mutex_lock(&arena);
  if (of == NULL && !is_refused) is_refused = !make(context, place);
  const int is = of == context && of_id == context->id;
  pthread_mutex_unlock(&arena);
  return is;
}

int arena_own(const struct gpu_context *context, gpu_address *address) {
  *address = base;
  return of == context && of_id == context->id;
}

int arena_read(size_t at, void *to, size_t bytes) {
  return of == NULL ? DRIVER_FAILED : context_read(&of_place, of, of_id, base + at, to, bytes);
}

static void sweep(void) {
  struct peer_slot *own = peer_slot(peer_self);
  for (int i = 0; i < ARENA_PIECES; i++)
    if (pieces[i].is_taken && atomic_load(&own->taken[i]) == pieces[i].turn) pieces[i].is_taken = 0;
}

static int is_free(size_t at, size_t end) {
  if (end > ARENA_BYTES) return 0;
  for (int i = 0; i < ARENA_PIECES; i++)
    if (pieces[i].is_taken && at < pieces[i].end && pieces[i].at < end) return 0;
  return 1;
}

/* First fit: behind no piece, or behind one of them. */
static int place(size_t bytes, size_t *at) {
  *at = 0;
  if (is_free(0, bytes)) return 1;
  for (int i = 0; i < ARENA_PIECES; i++) {
    *at = pieces[i].end;
    if (pieces[i].is_taken && is_free(*at, *at + bytes)) return 1;
  }
  return 0;
}

static int unused(void) {
  int i = 0;
  while (i < ARENA_PIECES && pieces[i].is_taken) i++;
  return i < ARENA_PIECES ? i : -1;
}

int arena_take(size_t bytes, int peer, struct arena_piece *piece) {
  const size_t whole = (bytes + ALIGN - 1) / ALIGN * ALIGN;
  size_t at = 0;
  pthread_mutex_lock(&arena);
  sweep();
  const int i = unused(), has = i >= 0 && place(whole, &at);
  if (has) {
    pieces[i] = (struct taken){1, peer, pieces[i].turn + 1, at, at + whole};
    *piece = (struct arena_piece){i, pieces[i].turn, at, base + at,
                                  flags == 0 ? 0 : flags + (size_t)i * sizeof(atomic_uint)};
  }
  pthread_mutex_unlock(&arena);
  return has;
}

/* A piece may have been read, and packed for another message, before its sender asks. */
int arena_has_packed(const struct arena_piece *piece) {
  return turn_has_come(&peer_slot(peer_self)->ready[piece->index], piece->turn);
}

void arena_is_packed(const struct arena_piece *piece) {
  turn_comes(&peer_slot(peer_self)->ready[piece->index], piece->turn);
}

void arena_has_failed(const struct arena_piece *piece) {
  atomic_store(&peer_slot(peer_self)->failed[piece->index], piece->turn);
}

int arena_did_fail(unsigned index, unsigned turn) { return atomic_load(&peer_slot(peer_self)->failed[index]) == turn; }

enum { SPINS = 1 << 16 };

int arena_awaits(int owner, unsigned index, unsigned turn) {
  struct peer_slot *slot = peer_slot(owner);
  for (unsigned spins = 1; !turn_has_come(&slot->ready[index], turn); spins++) {
    __builtin_ia32_pause();
    if (spins % SPINS != 0) continue;
    if (atomic_load(&slot->failed[index]) == turn || (owner != peer_self && !peer_is_alive(owner))) return 0;
    nanosleep(&(struct timespec){0, 20000}, NULL);
  }
  return 1;
}

void arena_give(const struct arena_piece *piece) {
  if (piece->index >= 0) atomic_store(&peer_slot(peer_self)->taken[piece->index], piece->turn);
}

int arena_is_read(void) {
  pthread_mutex_lock(&arena);
  int is = 1;
  sweep();
  for (int i = 0; i < ARENA_PIECES; i++) is &= !pieces[i].is_taken || !peer_is_alive(pieces[i].peer);
  pthread_mutex_unlock(&arena);
  return is;
}
