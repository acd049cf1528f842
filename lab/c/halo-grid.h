/* Where a halo exchange in three dimensions finds what it sends and receives: each rank has a cube of cells with a
 * halo, and 26 neighbours in a periodic grid. */
#ifndef HALO_GRID_H
#define HALO_GRID_H

#include <mpi.h>

enum { NEIGHBOURS = 26 };

/* Of the cube and its halo, slowest dimension first. */
struct halo_box {
  int sizes[3], starts[3];
};

/* Towards a neighbour lies what it needs; from the other side comes what belongs into the halo there. */
struct halo_side {
  int target, source;
  struct halo_box out, in;
};

static int halo_rank_at(MPI_Comm grid, const int own[3], const int direction[3], int sign) {
  int place[3], found;
  for (int d = 0; d < 3; d++) place[d] = own[d] + sign * direction[d];
  MPI_Cart_rank(grid, place, &found);
  return found;
}

/* Of a cube of so many cells a dimension at `own` in the grid. */
static struct halo_side halo_side_of(MPI_Comm grid, const int own[3], int neighbour, int points, int radius) {
  struct halo_side s;
  int direction[3];
  /* The cube itself, between them, is none. */
  int left = neighbour < NEIGHBOURS / 2 ? neighbour : neighbour + 1;
  for (int d = 0; d < 3; d++, left /= 3) {
    const int way = direction[d] = left % 3 - 1;
    s.out.sizes[d] = s.in.sizes[d] = way == 0 ? points : radius;
    s.out.starts[d] = way > 0 ? points : radius;
    s.in.starts[d] = way == 0 ? radius : way > 0 ? 0 : points + radius;
  }
  s.target = halo_rank_at(grid, own, direction, 1);
  s.source = halo_rank_at(grid, own, direction, -1);
  return s;
}

static MPI_Datatype halo_type(const struct halo_box *box, int edge, MPI_Datatype cell) {
  const int whole[3] = {edge, edge, edge};
  MPI_Datatype type;
  MPI_Type_create_subarray(3, whole, box->sizes, box->starts, MPI_ORDER_C, cell, &type);
  MPI_Type_commit(&type);
  return type;
}

#endif
