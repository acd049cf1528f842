/* By which way device messages of a size go: a small table of this machine, which STOWAGE_DEVICE_ROUTES names a file of. Without one
 * the defaults, which are those of two H200s of one host. */
#ifndef STOWAGE_DEVICE_ROUTES_H
#define STOWAGE_DEVICE_ROUTES_H

#include <stddef.h>

struct device_routes {
  /* Packed bytes from which on messages between processes of one host go past it. */
  size_t direct;
};

/* Read at the first call; the defaults stand for what a file lacks, or has wrong. */
const struct device_routes *device_routes(void);

#endif
