/* Elements of a call in memory of the host, and the packed bytes that stand for them. */
#ifndef STOWAGE_ELEMENTS_H
#define STOWAGE_ELEMENTS_H

#include "types.h"

struct elements {
  /* Where the type's address 0 lies. */
  void *user;
  MPI_Count count;
  MPI_Datatype type;
  /* For whom the MPI would pack them. */
  MPI_Comm communicator;
  /* What elements_are_ours finds: their code, and how many bytes they are packed. */
  struct type_code code;
  size_t bytes;
  /* Whether the type is a handle of our own. */
  int is_kept;
};

/* Whether our code can move them now. */
int elements_are_ours(struct elements *);
/* The same, or they lie as they are packed: such are copied where there is no code, and not counted. */
int elements_are_movable(struct elements *);
/* Counts a call that the MPI carries out by itself, where its type is one with gaps that the program committed. */
void elements_stay_native(const struct elements *, enum stowage_direction);

/* For elements that are moved behind the call: the program may have freed their type, with which the MPI compares. */
void elements_keep(struct elements *);
void elements_drop(struct elements *);

/* By the MPI, all elements, between the program's memory and `bytes` packed bytes. Its status. */
int elements_natively(const struct elements *, enum stowage_direction, void *packed, size_t bytes);

/* By our code, of elements that are ours: counted, recorded, and compared where STOWAGE_VERIFY asks for it. */
void elements_pack(const struct elements *, void *packed);
/* The first `bytes` of their packed bytes. */
void elements_unpack(const struct elements *, void *packed, size_t bytes);
/* From movable elements to others of as many bytes, by way of memory of elements_move_room. */
void elements_move(const struct elements *from, const struct elements *to, void *packed);
/* In bytes: none, where either lie as they are packed; a piece that stays in the cache; or all, where that is compared
 * or recorded. */
size_t elements_move_room(const struct elements *from, const struct elements *to);
/* What our code has packed, with what the MPI packs, which is kept where they differ. Whether they do. */
int elements_compare_packed(const struct elements *, void *packed);
/* As they are packed, but no message. */
void elements_copy(const struct elements *, void *packed);

#endif
