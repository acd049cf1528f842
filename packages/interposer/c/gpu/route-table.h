/* By which way device messages of a size go: a small table of this machine, a file that STOWAGE_DEVICE_ROUTES names, or
 * `device-routes-MPI` beside compiled code. Without one the defaults, which are those of two H200s of one host.
 * src/routes/route-table.ts writes it. */
#ifndef STOWAGE_GPU_ROUTE_TABLE_H
#define STOWAGE_GPU_ROUTE_TABLE_H

#include <stddef.h>

/* Routes through host memory that a table may name (by-host.c has them): kernels on pinned memory; kernels on memory of
 * the device and the driver's copy; the first in pieces, which go on while others are packed. */
enum route_name { ROUTE_ONE_SHOT, ROUTE_DEVICE, ROUTE_PIPELINED, ROUTE_NAMES };

/* Messages of so many packed bytes and more, in blocks of so many bytes and more. */
struct route_rule {
  size_t bytes, block_bytes;
  enum route_name route;
};

enum { MOST_RULES = 64 };
struct route_table {
  /* Packed bytes from which on messages of one host go from GPU memory to GPU memory. */
  size_t ipc;
  /* Bytes that cross the bus while a kernel is launched: pieces are as long as make both cost the same. */
  size_t launch;
  /* The last that fits counts. */
  size_t count;
  struct route_rule rules[MOST_RULES];
};

/* Read at the first call; a file that is no such table leaves all of the defaults, and one line. */
const struct route_table *route_table(void);

/* That of the last rule that fits a message and whose route may be taken; ROUTE_ONE_SHOT where there is none. */
enum route_name route_table_find(size_t bytes, size_t block_bytes, int (*may_be)(enum route_name, const void *),
                                 const void *context);
/* How long the pieces of a message are. */
size_t route_piece_bytes(size_t bytes);

#endif
