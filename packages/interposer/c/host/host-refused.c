#include "host-refused.h"

/* None: no handle is 0. */
_Thread_local struct host_refused host_refused[1 << HOST_REFUSED_BITS];
