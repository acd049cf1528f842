#include "lower-halves.h"
#ifdef HAS_GENERIC

#include "generic-offer.h"

#include "host-send.h"

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
  s->is_offered = 1;
  return o;
}

/* The send's call, while that is under way. */
static struct host_send *call_of(const struct sent_offer *o) {
  return host_sending != NULL && host_sending->number == o->number ? host_sending : NULL;
}

static void is_carried(struct sent_offer *o) {
  struct host_send *send = call_of(o);
  o->is_carried = 1;
  if (send != NULL) send->is_carried = 1;
}

void offer_pack(struct sent_offer *o, size_t offset, unsigned char *packed, size_t length) {
  if (offset >= sizeof o->offer) return;
  const size_t left = sizeof o->offer - offset;
  memcpy(packed, (const unsigned char *)&o->offer + offset, left < length ? left : length);
  is_carried(o);
}

void offer_end(struct sent_offer *o) {
  struct host_send *send = call_of(o);
  if (!o->is_carried && send != NULL) send->is_refused = 1;
  else if (!o->is_carried) inbox_release(o->inbox, o->offer.chunk, o->offer.bytes);
  free(o);
}
#endif
