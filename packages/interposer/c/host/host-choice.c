#define _GNU_SOURCE 1
#include "host-choice.h"

#include "host-offer.h"
#include "say.h"

#include <errno.h>
#include <stdlib.h>

/* Measured between two cores of an EPYC (docs/notes/2026-11-28-host-memory.md). */
enum { PIECES = 8, LEAST_PIECE = 16 << 10, MOST_PIECE = 128 << 10 };

static size_t asked(void) {
  const char *text = secure_getenv("STOWAGE_HOST_ROUTE");
  char *end;
  if (text == NULL || *text == '\0') return 0;
  errno = 0;
  const unsigned long long bytes = strtoull(text, &end, 10);
  if (errno == 0 && *end == '\0' && *text != '-' && (bytes == 0 || bytes >= HOST_OFFER_LEAST)) return (size_t)bytes;
  say("STOWAGE_HOST_ROUTE: expected 0, or bytes from %d on, got %s: no message goes past the MPI", HOST_OFFER_LEAST,
      text);
  return 0;
}

size_t host_least_bytes(void) {
  static size_t least;
  static int is_known;
  if (!is_known) least = asked();
  is_known = 1;
  return least;
}

size_t host_piece_bytes(size_t message_bytes) {
  const size_t piece = message_bytes / PIECES;
  return piece < LEAST_PIECE ? LEAST_PIECE : piece > MOST_PIECE ? MOST_PIECE : piece;
}
