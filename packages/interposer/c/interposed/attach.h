/* This library's hooks, for whichever library's names the program calls: its own, or those of one that loads it when it
 * knows the MPI. */
#ifndef STOWAGE_ATTACH_H
#define STOWAGE_ATTACH_H

#include "interposed.h"

/* Called once, before any hook: gives each gate its word. */
void gates_begin(gate_word gates[GATES]);

/* Behind it: the hooks of functions inside the MPI, as far as this MPI's are known. NULL: calls are passed on. */
void hooks_choose(void *hooks[ROWS]);

#endif
