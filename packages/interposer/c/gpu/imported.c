#include "imported.h"

#include "arena.h"
#include "peers.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>

struct imported {
  struct gpu_context *context;
  unsigned long long id;
  struct gpu_place place;
  int owner;
  gpu_address base;
  struct imported *next;
};

/* Changed with a context entered: by one thread at a time. */
static struct imported *all;

static int open_arena(int owner, gpu_address *base) {
  struct gpu_handle handle;
  const struct peer_slot *slot = peer_slot(owner);
  if (!driver_shares() || !atomic_load(&slot->has_arena)) return 0;
  memcpy(handle.bytes, slot->handle, sizeof handle.bytes);
  const int result = driver_open(&handle, base);
  if (result != 0)
    say("messages between devices: expected to open memory of rank %d, got result %d: they go through host memory",
        owner, result);
  return result == 0;
}

int imported_in(struct gpu_context *context, const struct gpu_place *place, int owner, gpu_address *base) {
  if (owner == peer_self) return arena_own(context, base);
  struct imported *known = all;
  while (known != NULL && (known->context != context || known->id != context->id || known->owner != owner))
    known = known->next;
  if (known == NULL) {
    if ((known = malloc(sizeof *known)) == NULL || !open_arena(owner, base)) {
      free(known);
      return 0;
    }
    *known = (struct imported){context, context->id, *place, owner, *base, all};
    __atomic_store_n(&all, known, __ATOMIC_RELEASE);
  }
  *base = known->base;
  return 1;
}

int imported_read(int owner, size_t at, void *to, size_t bytes) {
  if (owner == peer_self) return arena_read(at, to, bytes);
  int result = DRIVER_FAILED;
  for (struct imported *known = __atomic_load_n(&all, __ATOMIC_ACQUIRE); known != NULL && result != 0;
       known = known->next)
    if (known->owner == owner)
      result = context_read(&known->place, known->context, known->id, known->base + at, to, bytes);
  return result;
}

static void answer(struct gpu_context *context, const struct gpu_place *place) {
  gpu_address base;
  for (int peer = 0; peer < MOST_PEERS; peer++) {
    atomic_uchar *answer = &peer_slot(peer_self)->answers[peer];
    if (atomic_load(answer) == PEER_ASKS)
      atomic_store(answer, imported_in(context, place, peer, &base) ? PEER_OPENS : PEER_REFUSES);
  }
}

void imported_answer(const struct gpu_place *place) {
  static atomic_uint seen;
  int result;
  if (!peers_are_there()) return;
  const unsigned asks = atomic_load(&peer_slot(peer_self)->asks);
  if (atomic_load(&seen) == asks) return;
  atomic_store(&seen, asks);
  struct gpu_context *context = context_enter(place, &result);
  if (context == NULL) return;
  answer(context, place);
  context_leave();
}
