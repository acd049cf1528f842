#include "attach.h"

/* All are open. */
void gates_begin(gate_word gates[GATES]) { (void)gates; }

/* No row is inside the MPI. */
void hooks_choose(void *hooks[ROWS]) { (void)hooks; }
