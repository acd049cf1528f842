#include "transfer.h"

#include "below.h"
#include "packing-memory.h"
#include "mode.h"
#include "next.h"
#include "predefined.h"
#include "span.h"
#include "window.h"

#include <pthread.h>
#include <stdlib.h>

struct transfer {
  struct elements elements;
  enum stowage_direction direction;
  /* What comes of a get from elements with gaps. */
  struct span span;
  /* What the MPI moves, in `bytes` of memory. */
  unsigned char *memory;
  size_t bytes;
  struct transfer_given given;
  MPI_Win window;
  int target;
  int keepers, is_taken, is_over;
  struct transfer *next;
};

/* All that wait for a call that synchronises. */
static struct transfer *kept;
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;

static void give_back(struct transfer *t) {
  elements_drop(&t->elements);
  elements_drop(&t->span.elements);
  packing_memory_give(&packing_of_accesses, t->memory, t->bytes);
  span_free(&t->span);
}

/* What is asked for first costs least. */
static int is_packed(const struct transfer_call *call, struct elements *elements) {
  if (!elements_are_ours(elements) || elements->code.is_dense || elements->bytes == 0) return 0;
  return (MPI_Count)elements->bytes == call->target_count * (MPI_Count)types_dense_bytes(call->target_type) &&
         !window_is_packed_in_place(call->window);
}

static int takes_memory(struct transfer *t, size_t bytes) {
  t->bytes = bytes;
  return (t->memory = packing_memory_take(&packing_of_accesses, bytes)) != NULL;
}

/* Behind what comes of a span is room to move its elements. */
static int finds_way(struct transfer *t, const struct transfer_call *call) {
  struct elements *own = &t->elements;
  if (call->target < 0 || call->target_count <= 0) return 0;
  if (is_packed(call, own)) {
    const int has = takes_memory(t, own->bytes);
    t->given = (struct transfer_given){t->memory, call->target_count, call->target_type};
    return has;
  }
  if (call->direction == STOWAGE_PACK || !span_begin(&t->span, call, own)) return 0;
  const int has = takes_memory(t, t->span.bytes + elements_move_room(&t->span.elements, own));
  t->given = (struct transfer_given){(void *)((uintptr_t)t->memory - (uintptr_t)t->span.first), 1, t->span.type};
  return has;
}

/* Convertors of Open MPI count what they pack. */
struct transfer *transfer_begin(const struct transfer_call *call) {
  struct transfer found = {
      .elements = {(void *)(uintptr_t)call->user, call->count, call->type, .communicator = PREDEFINED_SELF},
      .direction = call->direction,
      .window = call->window,
      .target = call->target,
      .keepers = 1};
  struct transfer *t = finds_way(&found, call) ? malloc(sizeof *t) : NULL;
  if (t == NULL) {
    give_back(&found);
    if (!mode_is(MODE_CONVERTOR)) elements_stay_native(&found.elements, call->direction);
    return NULL;
  }
  *t = found;
  elements_keep(&t->elements);
  elements_keep(&t->span.elements);
  if (t->direction == STOWAGE_PACK) elements_pack(&t->elements, t->memory);
  return t;
}

const struct transfer_given *transfer_given(const struct transfer *t) { return &t->given; }
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

static void take_elements(const struct transfer *t) {
  const struct elements came = span_elements(&t->span, t->memory);
  if (t->span.bytes > 0) elements_move(&came, &t->elements, t->memory + t->span.bytes);
  else elements_unpack(&t->elements, t->memory, t->elements.bytes);
}

/* Who comes second waits for the first, whose thread may still be unpacking. */
static void unpack(struct transfer *t, void (*before)(const struct transfer *)) {
  static pthread_mutex_t unpacking = PTHREAD_MUTEX_INITIALIZER;
  if (t->direction == STOWAGE_PACK) return;
  pthread_mutex_lock(&unpacking);
  if (!t->is_over) {
    if (before != NULL) before(t);
    take_elements(t);
  }
  t->is_over = 1;
  pthread_mutex_unlock(&unpacking);
}

void transfer_requested_over(struct transfer *t) { unpack(t, await_bytes); }

void transfer_drop(struct transfer *t) {
  if (__atomic_sub_fetch(&t->keepers, 1, __ATOMIC_ACQ_REL) != 0) return;
  give_back(t);
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
