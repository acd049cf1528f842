/* By which way device messages of a size go: a small table of this machine, a file that STOWAGE_DEVICE_ROUTES names, or `device-routes-MPI`
 * beside compiled code. Without one the defaults, which are those of two H200s of one host. src/routes/route-table.ts writes it. */
#ifndef STOWAGE_GPU_ROUTE_TABLE_H
#define STOWAGE_GPU_ROUTE_TABLE_H

#include <stddef.h>

/* By way of the host: kernels on pinned memory; kernels on memory of the device and the driver's copy; the first in pieces, which go on
 * while others are packed. */
enum device_route { ROUTE_ONE_SHOT, ROUTE_DEVICE, ROUTE_PIPELINED };

/* Messages of so many packed bytes and more, in blocks of so many bytes and more. */
struct device_rule {
  size_t bytes, block_bytes;
  enum device_route route;
};

enum { MOST_RULES = 64 };
struct device_routes {
  /* Packed bytes from which on messages between processes of one host go past it. */
  size_t direct;
  /* Bytes that cross the bus while a kernel is launched: pieces are as long as make both cost the same. */
  size_t launch;
  /* The last that fits counts. */
  size_t count;
  struct device_rule rules[MOST_RULES];
};

/* Read at the first call; a file that is no such table leaves all of the defaults, and one line. */
const struct device_routes *device_routes(void);

/* Of a message; of bytes that the MPI wants all at once: the last rule that is not of pieces. */
enum device_route device_route_of_message(size_t bytes, size_t block_bytes);
enum device_route device_route_of_whole(size_t bytes, size_t block_bytes);
/* How long the pieces of a message are. */
size_t device_piece_bytes(size_t bytes);

#endif
