#include "receives.h"

void (*receives_watcher)(MPI_Datatype type, size_t count) = NULL;
