#include "attach.h"

/* All are open. */
void gates_begin(void) {}
