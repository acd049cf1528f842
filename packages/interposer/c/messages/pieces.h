/* One side of a collective: pieces for or of each rank, packed one behind the other in one memory, which the call owns.
 * They lie on a device, or in mode staged on the host. */
#ifndef STOWAGE_PIECES_H
#define STOWAGE_PIECES_H

#include "buffer.h"
#include "counted.h"
#include "staging.h"

struct pieces {
  size_t count;
  struct gpu_buffer *each;
  /* What packs each on the host; NULL: they lie on a device. */
  struct type_code *codes;
  unsigned char *memory;
  size_t bytes;
  /* The memory, where a device reaches it. */
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

static inline MPI_Datatype piece_type(const struct piece_list *list, size_t i) {
  return list->types != NULL ? list->types[i] : list->type;
}

/* Whether the pieces lie on a device. They then have no memory yet. */
int pieces_take(const struct piece_list *list, struct pieces *pieces);
/* Whether equal pieces, one behind the other and so one piece, lie on a device. */
int pieces_take_one(const void *user, MPI_Count count, MPI_Datatype type, struct pieces *pieces);
/* Of a side that is staged (staged-side.h). 0: it goes as the program gave it. */
int pieces_take_on_host(const struct piece_list *list, struct pieces *pieces);
/* Memory of the host for their packed bytes; MPI_SUCCESS or a class. */
int pieces_stage(struct pieces *pieces);
int pieces_pack(struct pieces *pieces);
int pieces_unpack(struct pieces *pieces);
void pieces_release(struct pieces *pieces);

#endif
