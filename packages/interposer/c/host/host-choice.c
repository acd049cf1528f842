#define _GNU_SOURCE 1
#include "host-choice.h"

#include "host-offer.h"
#include "inbox.h"
#include "say.h"
#include "table-file.h"

#include <stdlib.h>
#include <string.h>

/* Measured between two cores of an EPYC (docs/notes/2026-11-28-host-memory.md). */
enum { PIECES = 8, LINE = 64 };

static struct {
  int is_known, is_measured;
  size_t least_bytes;
} choice;

static void ask(void) {
  const char *text = secure_getenv("STOWAGE_HOST_ROUTE");
  size_t bytes;
  choice.is_known = 1;
  if (text == NULL || *text == '\0') return;
  choice.is_measured = strcmp(text, "measured") == 0;
  if (choice.is_measured) choice.least_bytes = HOST_OFFER_LEAST;
  if (choice.is_measured) return;
  if (table_number(text, &bytes) && (bytes == 0 || bytes >= HOST_OFFER_LEAST)) choice.least_bytes = bytes;
  else
    say("STOWAGE_HOST_ROUTE: expected measured, 0, or bytes from %d on, got %s: no message goes past the MPI",
        HOST_OFFER_LEAST, text);
}

size_t host_least_bytes(void) {
  if (!choice.is_known) ask();
  return choice.least_bytes;
}

int host_is_measured(void) { return choice.is_measured; }

static size_t rounded(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

size_t host_piece_bytes(size_t message_bytes, size_t side_by_side) {
  const size_t eighth = rounded(message_bytes / PIECES, LINE);
  const size_t most = eighth > INBOX_MOST_PIECE ? INBOX_MOST_PIECE : eighth;
  return rounded(most < INBOX_LEAST_PIECE ? INBOX_LEAST_PIECE : most, side_by_side);
}
