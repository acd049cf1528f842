#include "imported.h"

#include "arena.h"
#include "peers.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>

struct imported {
  struct device_context *context;
  unsigned long long id;
  struct device_place place;
  int owner;
  stowage_device_address base;
  struct imported *next;
};

/* Changed with a context entered: by one thread at a time. */
static struct imported *all;

enum { LAZY_PEER_ACCESS = 1 };

static int open_arena(int owner, stowage_device_address *base) {
  struct stowage_cuda_ipc_handle handle;
  const struct peer_slot *slot = peer_slot(owner);
  if (stowage_cuda()->cuIpcOpenMemHandle_v2 == NULL || !atomic_load(&slot->has_arena)) return 0;
  memcpy(handle.bytes, slot->handle, sizeof handle.bytes);
  const int result = stowage_cuda()->cuIpcOpenMemHandle_v2(base, handle, LAZY_PEER_ACCESS);
  if (result != 0) say("messages between devices: expected to open memory of rank %d, got result %d: they go by way of the host", owner, result);
  return result == 0;
}

int imported_in(struct device_context *context, const struct device_place *place, int owner, stowage_device_address *base) {
  if (owner == peer_self) return arena_own(context, base);
  struct imported *known = all;
  while (known != NULL && (known->context != context || known->id != context->id || known->owner != owner)) known = known->next;
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

static int read_by(struct imported *known, size_t at, void *to, size_t bytes) {
  int result;
  struct device_context *context = device_enter(&known->place, &result);
  if (context == NULL) return result;
  if (known->context != context || known->id != context->id) result = STOWAGE_CUDA_ERROR_FIRST;
  if (result == 0) result = stowage_cuda()->cuMemcpyDtoHAsync_v2(to, known->base + at, bytes, context->stream);
  const int done = stowage_cuda()->cuStreamSynchronize(context->stream);
  device_leave(context);
  return result == 0 ? done : result;
}

int imported_read(int owner, size_t at, void *to, size_t bytes) {
  if (owner == peer_self) return arena_read(at, to, bytes);
  int result = STOWAGE_CUDA_ERROR_FIRST;
  for (struct imported *known = __atomic_load_n(&all, __ATOMIC_ACQUIRE); known != NULL && result != 0; known = known->next)
    if (known->owner == owner) result = read_by(known, at, to, bytes);
  return result;
}

static void answer(struct device_context *context, const struct device_place *place) {
  stowage_device_address base;
  for (int peer = 0; peer < MOST_PEERS; peer++) {
    atomic_uchar *answer = &peer_slot(peer_self)->answers[peer];
    if (atomic_load(answer) == PEER_ASKS) atomic_store(answer, imported_in(context, place, peer, &base) ? PEER_OPENS : PEER_REFUSES);
  }
}

void imported_answer(const struct device_place *place) {
  static atomic_uint seen;
  int result;
  if (!peers_are_there()) return;
  const unsigned asks = atomic_load(&peer_slot(peer_self)->asks);
  if (atomic_load(&seen) == asks) return;
  atomic_store(&seen, asks);
  struct device_context *context = device_enter(place, &result);
  if (context == NULL) return;
  answer(context, place);
  device_leave(context);
}
