/* What this library stands in front of, by the rows of rows.h. Parameters pass through as the words that they are:
 * handles of one MPI are longer than those of another, and which one this is, is known at the first call alone. */
#ifndef STOWAGE_INTERPOSED_H
#define STOWAGE_INTERPOSED_H

#include "family.h"

#include <stddef.h>
#include <stdint.h>

/* What may keep a call from our hook: a word elsewhere that is 0. */
enum gate { GATE_OPEN, GATE_DEVICE, GATE_SENDS, GATE_RECEIVES, GATE_STARTS, GATE_OPERATIONS, GATES };
typedef const uintptr_t *gate_word;

/* rows.h is hooks/rows.h for the packing library and calls/rows.h for the recorder: its folder is first in the build's
 * includes. */
enum row {
#define CALL(name, words, gate) ROW_MPI_##name, ROW_PMPI_##name,
#define INNER(name, words) ROW_##name,
#define OWN(name, words) ROW_##name,
#include "rows.h"
#undef CALL
#undef INNER
#undef OWN
  ROWS
};

/* Hooks by their rows; NULL: none. */
typedef void *const hook_table[ROWS];

/* What a library of hooks is told by the library whose names the program calls. */
struct attachment {
  const char *version;
  size_t rows;
  void *(*next)(const char *name);
  gate_word *gates;
};

/* The hooks for programs of an MPI, attached; NULL: there are none. */
void *const *hooks_for(enum mpi_family family, const struct attachment *to);

#endif
