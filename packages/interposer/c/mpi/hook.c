#include "hook.h"

_Thread_local int hook_depth = 0;
