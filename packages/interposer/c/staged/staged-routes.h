/* The ways of a message of the host: as packed bytes, and as the program gave it. The latter is that of a message whose
 * time is taken, and of one for which there is no memory. */
#ifndef STOWAGE_STAGED_ROUTES_H
#define STOWAGE_STAGED_ROUTES_H

#include "route.h"

HIDDEN extern const struct route route_packed, route_plain;

#endif
