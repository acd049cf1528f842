#include "transfer.h"

#include "below.h"
#include "packing-memory.h"
#include "mode.h"
#include "next.h"
#include "predefined.h"
#include "window.h"

#include <pthread.h>
#include <stdlib.h>

struct transfer {
  struct elements elements;
  enum stowage_direction direction;
  void *packed;
  MPI_Win window;
  int target;
  int keepers, is_taken, is_over;
  struct transfer *next;
};

/* All that wait for a call that synchronises. */
static struct transfer *kept;
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;

/* What is asked for first costs least. */
static int is_ours(const struct transfer_call *call, struct elements *elements) {
  if (call->target < 0 || call->target_count <= 0 || !elements_are_ours(elements) || elements->code.is_dense) return 0;
  return elements->bytes > 0 &&
         (MPI_Count)elements->bytes == call->target_count * (MPI_Count)types_dense_bytes(call->target_type) &&
         !window_is_packed_in_place(call->window);
}

static struct transfer *made(const struct transfer_call *call, const struct elements *elements) {
  struct transfer *t = malloc(sizeof *t);
  void *packed = t == NULL ? NULL : packing_memory_take(&packing_of_accesses, elements->bytes);
  if (packed == NULL) {
    free(t);
    return NULL;
  }
  *t = (struct transfer){.elements = *elements,
                         .direction = call->direction,
                         .packed = packed,
                         .window = call->window,
                         .target = call->target,
                         .keepers = 1};
  return t;
}

/* Convertors of Open MPI count what they pack. */
struct transfer *transfer_begin(const struct transfer_call *call) {
  struct elements elements = {
      .user = (void *)(uintptr_t)call->user, .count = call->count, .type = call->type, .communicator = PREDEFINED_SELF};
  struct transfer *t = is_ours(call, &elements) ? made(call, &elements) : NULL;
  if (t == NULL && !mode_is(MODE_CONVERTOR)) elements_stay_native(&elements, call->direction);
  if (t != NULL && t->direction == STOWAGE_PACK) elements_pack(&t->elements, t->packed);
  return t;
}

void *transfer_packed(const struct transfer *t) { return t->packed; }
const struct elements *transfer_elements(const struct transfer *t) { return &t->elements; }

static void keep(struct transfer *t) {
  __atomic_store_n(&t->is_taken, 0, __ATOMIC_RELEASE);
  pthread_mutex_lock(&keeping);
  t->next = kept;
  __atomic_store_n(&kept, t, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&keeping);
}

void transfer_keep(struct transfer *t) {
  __atomic_fetch_add(&t->keepers, 1, __ATOMIC_RELAXED);
  keep(t);
}

/* MPICH 4.0.2 says that a get's request is over before its bytes have come. Where a call that synchronises is under way
 * in another thread, that sees to it. */
static void await_bytes(const struct transfer *t) {
  if (mpi_below() == FAMILY_MPICH && !__atomic_load_n(&t->is_taken, __ATOMIC_ACQUIRE))
    NEXT(PMPI_Win_flush)(t->target, t->window);
}

/* Who comes second waits for the first, whose thread may still be unpacking. */
static void unpack(struct transfer *t, void (*before)(const struct transfer *)) {
  static pthread_mutex_t unpacking = PTHREAD_MUTEX_INITIALIZER;
  if (t->direction == STOWAGE_PACK) return;
  pthread_mutex_lock(&unpacking);
  if (!t->is_over) {
    if (before != NULL) before(t);
    elements_unpack(&t->elements, t->packed, t->elements.bytes);
  }
  t->is_over = 1;
  pthread_mutex_unlock(&unpacking);
}

void transfer_requested_over(struct transfer *t) { unpack(t, await_bytes); }

void transfer_drop(struct transfer *t) {
  if (__atomic_sub_fetch(&t->keepers, 1, __ATOMIC_ACQ_REL) != 0) return;
  packing_memory_give(&packing_of_accesses, t->packed, t->elements.bytes);
  free(t);
}

struct transfer *transfers_take(MPI_Win window, int target) {
  struct transfer *taken = NULL;
  if (__atomic_load_n(&kept, __ATOMIC_RELAXED) == NULL) return NULL;
  pthread_mutex_lock(&keeping);
  for (struct transfer **at = &kept; *at != NULL;) {
    struct transfer *t = *at;
    if (t->window != window || (target != EVERY_TARGET && t->target != target)) {
      at = &t->next;
      continue;
    }
    *at = t->next;
    __atomic_store_n(&t->is_taken, 1, __ATOMIC_RELEASE);
    t->next = taken;
    taken = t;
  }
  pthread_mutex_unlock(&keeping);
  return taken;
}

int transfers_over(struct transfer *taken, int status) {
  while (taken != NULL) {
    struct transfer *t = taken;
    taken = t->next;
    if (status != MPI_SUCCESS) keep(t);
    else {
      unpack(t, NULL);
      transfer_drop(t);
    }
  }
  return status;
}
