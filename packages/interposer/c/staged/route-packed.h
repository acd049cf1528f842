/* The way of a message of the host as packed bytes. */
#ifndef STOWAGE_ROUTE_PACKED_H
#define STOWAGE_ROUTE_PACKED_H

#include "route.h"

HIDDEN extern const struct route route_packed;

#endif
