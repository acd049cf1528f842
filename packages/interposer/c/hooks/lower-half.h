/* What packs inside the MPI that runs, of the lower halves that this library has. */
#ifndef STOWAGE_LOWER_HALF_H
#define STOWAGE_LOWER_HALF_H

#include "mode.h"

struct lower_half {
  /* What the MPI has to know before it begins; NULL: nothing. */
  void (*before_start)(void);
  /* NULL where the MPI packs so; else why not. Runs in MPI_Init. */
  const char *(*test)(void);
  enum mode mode;
  /* Behind a test that passed: NULL where receives are unpacked so too; else why not. NULL: they always are. */
  const char *(*receives)(void);
};

const struct lower_half *lower_half(void);

#endif
