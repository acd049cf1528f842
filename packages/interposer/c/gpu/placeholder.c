#include "placeholder.h"

#include "route-pipelined.h"
#include "generic-type.h"
#include "handle-table.h"
#include "hook.h"
#include "next.h"
#include "predefined.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

size_t envelope_types = 0;
/* By size and by handle; made once, never freed, for messages may be under way. */
static struct handle_table by_size = HANDLE_TABLE_EMPTY, by_handle = HANDLE_TABLE_EMPTY;

static int commit(MPI_Datatype *type) {
#ifdef OPEN_MPI
  return NEXT(PMPI_Type_commit)(type);
#else
  /* As a call of the program's, for UCX's datatype behind it. */
  const int status = BEHIND(NEXT(PMPI_Type_commit)(type));
  generic_name(*type);
  return status;
#endif
}

/* A gap before its last byte: the MPI must ask for it. */
static int make(size_t bytes, MPI_Datatype *type) {
  int lengths[2] = {(int)bytes - 1, 1};
  MPI_Aint places[2] = {0, (MPI_Aint)bytes};
  return NEXT(PMPI_Type_create_hindexed)(2, lengths, places, PREDEFINED_BYTE, type) == MPI_SUCCESS &&
         commit(type) == MPI_SUCCESS;
}

int envelope_type(size_t bytes, MPI_Datatype *type) {
  MPI_Datatype *known = handle_find(&by_size, bytes);
  if (bytes < OFFER_BYTES || bytes > INT_MAX) return 0;
  if (known == NULL) {
    if ((known = malloc(sizeof *known)) == NULL) return 0;
    if (!make(bytes, known) || !handle_put(&by_handle, (uintptr_t)*known, known) || !handle_put(&by_size, bytes, known)) {
      free(known);
      return 0;
    }
    __atomic_fetch_add(&envelope_types, 1, __ATOMIC_RELEASE);
  }
  *type = *known;
  return 1;
}

int envelope_is(MPI_Datatype type) { return handle_find(&by_handle, (uintptr_t)type) != NULL; }

/* The bytes are another process's word: what leads outside its slots and arena is no offer. */
static int is_offer(const struct device_offer *offer) {
  return peer_is_known(offer->owner) && memcmp(offer->nonce, peer_nonce(), NONCE_BYTES) == 0 && offer->piece < ARENA_PIECES &&
         offer->bytes <= ARENA_BYTES && offer->at <= ARENA_BYTES - offer->bytes;
}

int envelope_offers(const struct device_offer *offer, size_t bytes) { return is_offer(offer) && offer->bytes == bytes; }

static size_t overlap(size_t first, size_t length) {
  const size_t end = first + length < OFFER_BYTES ? first + length : OFFER_BYTES;
  return first < end ? end - first : 0;
}

void envelope_pack(const struct device_envelope *envelope, size_t first, void *packed, size_t length) {
  const int is_lost = envelope->piece.index < 0 && envelope->pipeline != NULL && !pipeline_awaits(envelope->pipeline, first + length);
  if (is_lost) memset(packed, 0, length);
  else if (envelope->piece.index < 0) memcpy(packed, envelope->memory + first, length);
  else memcpy(packed, envelope->first + (first < OFFER_BYTES ? first : 0), overlap(first, length));
}

/* Until all of the first bytes are there, and where they are no offer, what comes is the message. */
void envelope_unpack(struct device_envelope *envelope, size_t first, const void *packed, size_t length) {
  const size_t some = overlap(first, length);
  memcpy(envelope->first + (first < OFFER_BYTES ? first : 0), packed, some);
  envelope->came += some;
  if (envelope->came >= OFFER_BYTES && is_offer(&envelope->offer)) return;
  memcpy(envelope->memory + first, packed, length);
  if (envelope->pipeline != NULL) pipeline_came(envelope->pipeline, first, length);
}
