#include "lower-halves.h"
#ifdef HAS_GENERIC

#include "generic-offer.h"

#include "under-way.h"

#include <stdlib.h>
#include <string.h>

struct sent_offer {
  struct host_offer offer;
  struct inbox *inbox;
  /* Which of this process's sends: it is packed by a call that may be over. */
  uint64_t number;
  int is_carried;
};

static int is_for(const struct host_send *s, const struct generic_type *type, const void *user, size_t count) {
  const struct elements *e = &s->elements;
  return !s->is_offered && type->is_named && type->handle == e->type && e->user == user && (size_t)e->count == count;
}

struct sent_offer *offer_begin(const struct generic_type *type, const void *user, size_t count) {
  struct host_send *s = host_sending;
  struct sent_offer *o;
  if (LIKELY(s == NULL) || !is_for(s, type, user, count) || (o = malloc(sizeof *o)) == NULL) return NULL;
  *o = (struct sent_offer){s->offer, s->inbox, s->number, 0};
  __atomic_store_n(&s->is_offered, 1, __ATOMIC_RELEASE);
  return o;
}

/* Its send's call goes on packing without the MPI. */
static void carried(struct host_send *send) { __atomic_store_n(&send->is_carried, 1, __ATOMIC_RELAXED); }

static void is_carried(struct sent_offer *o) {
  o->is_carried = 1;
  under_way_of(o->number, carried);
}

void offer_pack(struct sent_offer *o, size_t offset, unsigned char *packed, size_t length) {
  if (offset >= sizeof o->offer) return;
  const size_t left = sizeof o->offer - offset;
  memcpy(packed, (const unsigned char *)&o->offer + offset, left < length ? left : length);
  is_carried(o);
}

/* The room is given back when its send's call has packed. */
static void refused(struct host_send *send) { send->is_refused = 1; }

/* That of elements that lie elsewhere is given back by who waits for them to be read. */
static int is_awaited(struct sent_offer *o) {
  uint32_t state = INBOX_LYING;
  return atomic_compare_exchange_strong(&inbox_at(o->inbox, o->offer.chunk)->state, &state, INBOX_READ);
}

void offer_end(struct sent_offer *o) {
  if (!o->is_carried && !under_way_of(o->number, refused) && !is_awaited(o))
    inbox_release(o->inbox, o->offer.chunk, o->offer.bytes);
  free(o);
}
#endif
