/* Random datatypes whose entries do not overlap, so that they may be received into. All ranks draw the same from the
 * same seed. */
#ifndef RANDOM_TYPE_H
#define RANDOM_TYPE_H

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t draws;
/* The one basic type that types are made of, by its number; negative: of any. */
static int one_basic = -1;
/* How many of them lie side by side wherever a type has one. */
static int basics_side_by_side = 1;

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t draw64(void) {
  uint64_t z = (draws += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* From least to most, both included. */
static inline int draw(int least, int most) { return least + (int)(draw64() % (uint64_t)(most - least + 1)); }

static MPI_Datatype predefined_basic(void) {
  switch (one_basic >= 0 ? one_basic : draw(0, 5)) {
  case 0: return MPI_CHAR;
  case 1: return MPI_SHORT;
  case 2: return MPI_INT;
  case 3: return MPI_FLOAT;
  case 4: return MPI_DOUBLE_INT;
  default: return MPI_DOUBLE;
  }
}

static MPI_Datatype random_basic(void) {
  MPI_Datatype made, basic = predefined_basic();
  if (basics_side_by_side == 1) return basic;
  MPI_Type_contiguous(basics_side_by_side, basic, &made);
  return made;
}

/* Distinct places in random order, none wider than `width`. */
static void random_places(int count, int width, int lengths[], int places[]) {
  int at = draw(0, 3);
  for (int i = 0; i < count; i++) {
    lengths[i] = draw(i == 0 ? 1 : 0, width);
    places[i] = at;
    at += lengths[i] + draw(0, 3);
  }
  if (draw(0, 1) == 0) return;
  for (int i = count - 1; i > 0; i--) {
    const int other = draw(0, i), length = lengths[i], place = places[i];
    lengths[i] = lengths[other];
    places[i] = places[other];
    lengths[other] = length;
    places[other] = place;
  }
}

static MPI_Datatype random_type(int depth);

static MPI_Datatype random_struct(int depth) {
  MPI_Datatype types[4], made;
  MPI_Aint places[4], at = 0, lower, extent;
  int lengths[4];
  const int count = draw(1, 4);
  for (int i = 0; i < count; i++) {
    types[i] = random_type(depth - 1);
    MPI_Type_get_extent(types[i], &lower, &extent);
    lengths[i] = draw(1, 3);
    at += 8 * draw(0, 2);
    places[i] = at - lower;
    at += (extent * lengths[i] + 7) / 8 * 8;
  }
  MPI_Type_create_struct(count, lengths, places, types, &made);
  return made;
}

static MPI_Datatype random_subarray(MPI_Datatype child) {
  int sizes[3], parts[3], starts[3];
  const int dimensions = draw(1, 3);
  for (int i = 0; i < dimensions; i++) {
    sizes[i] = draw(1, 6);
    parts[i] = draw(1, sizes[i]);
    starts[i] = draw(0, sizes[i] - parts[i]);
  }
  MPI_Datatype made;
  MPI_Type_create_subarray(dimensions, sizes, parts, starts, draw(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, child,
                           &made);
  return made;
}

/* Open MPI 4.1.4 gives some structs of nested types an extent that is shorter than they are: several elements would
 * overlap. */
static int has_its_extent(MPI_Datatype type) {
  MPI_Aint lower, extent, true_lower, true_extent;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  return extent >= true_extent;
}

/* Uncommitted. Never of negative extent; children of a made type are leaked, as programs do. */
static MPI_Datatype random_type(int depth) {
  if (depth == 0) return random_basic();
  MPI_Datatype made, child = draw(0, 2) == 0 ? random_type(depth - 1) : random_basic();
  MPI_Aint lower, extent, addresses[8];
  int lengths[8], places[8], count = draw(1, 8), block;
  MPI_Type_get_extent(child, &lower, &extent);
  switch (draw(0, 9)) {
  case 0: MPI_Type_contiguous(count, child, &made); break;
  case 1:
    block = draw(1, 4);
    MPI_Type_vector(count, block, block + draw(0, 5), child, &made);
    break;
  case 2:
    block = draw(1, 4);
    MPI_Type_create_hvector(count, block, extent * (block + draw(0, 5)), child, &made);
    break;
  case 3:
    random_places(count, 4, lengths, places);
    MPI_Type_indexed(count, lengths, places, child, &made);
    break;
  case 4:
    random_places(count, 4, lengths, places);
    for (int i = 0; i < count; i++) addresses[i] = extent * places[i];
    MPI_Type_create_hindexed(count, lengths, addresses, child, &made);
    break;
  case 5:
    block = draw(1, 3);
    for (int i = 0; i < count; i++) places[i] = (count - i) * (block + 1);
    MPI_Type_create_indexed_block(count, block, places, child, &made);
    break;
  case 6: made = random_struct(depth); break;
  case 7: made = random_subarray(child); break;
  case 8: MPI_Type_create_resized(child, lower - 8 * draw(0, 2), extent + 8 * draw(2, 6), &made); break;
  default: MPI_Type_dup(child, &made); break;
  }
  return has_its_extent(made) ? made : random_type(depth);
}

/* What a message of `count` elements needs: where its address 0 lies in a buffer of `bytes` bytes. */
struct room {
  size_t bytes, origin;
};

static inline struct room room_of(MPI_Datatype type, int count) {
  MPI_Aint lower, extent, true_lower, true_extent;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  const MPI_Aint low = true_lower < 0 ? true_lower : 0;
  return (struct room){(size_t)(true_lower + true_extent + extent * (count > 0 ? count - 1 : 0) - low + 64),
                       (size_t)(-low)};
}

static inline void fill(unsigned char *bytes, size_t length, unsigned salt) {
  for (size_t i = 0; i < length; i++) bytes[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + salt * 29 + 7);
}

/* FNV-1a. */
static inline uint64_t hashed(uint64_t hash, const unsigned char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
  return hash;
}

#endif
