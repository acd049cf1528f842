/* One side of a collective: pieces for or of each rank, packed one behind the other in one staging memory, which the
 * call owns. */
#ifndef STOWAGE_PIECES_H
#define STOWAGE_PIECES_H

#include "buffer.h"
#include "counted.h"
#include "staging.h"

struct gpu_pieces {
  size_t count;
  struct gpu_buffer *each;
  struct gpu_staging *staging;
  /* Where each begins in it, in bytes. */
  size_t *begins;
  /* What the MPI gets instead of the program's: places in elements, or in bytes where each piece has a type of its own;
   * of the width that the call has them in. */
  int has_types;
  struct numbers places;
  MPI_Datatype *types;
};

/* How the pieces lie: a type, and places in extents of it; or a type each, and places in bytes. */
struct piece_list {
  const void *user;
  size_t count;
  struct numbers counts, places;
  MPI_Datatype type;
  const MPI_Datatype *types;
};

/* Whether the pieces lie on a device. They then have no memory yet. */
int pieces_take(const struct piece_list *list, struct gpu_pieces *pieces);
/* Whether equal pieces, one behind the other and so one piece, lie on a device. */
int pieces_take_one(const void *user, MPI_Count count, MPI_Datatype type, struct gpu_pieces *pieces);
/* Memory of the host for their packed bytes; MPI_SUCCESS or a class. */
int pieces_stage(struct gpu_pieces *pieces);
int pieces_pack(struct gpu_pieces *pieces);
int pieces_unpack(struct gpu_pieces *pieces);
void pieces_release(struct gpu_pieces *pieces);

#endif
