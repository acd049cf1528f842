#include "topology.h"

#include "next.h"

#include <stdlib.h>
#include <string.h>

static int kind_of(MPI_Comm communicator) {
  int kind = MPI_UNDEFINED;
  return NEXT(PMPI_Topo_test)(communicator, &kind) == MPI_SUCCESS ? kind : MPI_UNDEFINED;
}

int neighbours_of(MPI_Comm communicator, size_t *in, size_t *out) {
  int dimensions = 0, rank = 0, sources = 0, targets = 0, weighted;
  const int kind = kind_of(communicator);
  if (kind == MPI_CART) {
    NEXT(PMPI_Cartdim_get)(communicator, &dimensions);
    sources = targets = 2 * dimensions;
  } else if (kind == MPI_GRAPH) {
    NEXT(PMPI_Comm_rank)(communicator, &rank);
    NEXT(PMPI_Graph_neighbors_count)(communicator, rank, &sources);
    targets = sources;
  } else if (kind == MPI_DIST_GRAPH) {
    NEXT(PMPI_Dist_graph_neighbors_count)(communicator, &sources, &targets, &weighted);
  }
  *in = (size_t)sources;
  *out = (size_t)targets;
  return sources + targets > 0;
}

static int of_grid(MPI_Comm communicator, struct topology *t) {
  for (size_t d = 0; 2 * d < t->in; d++)
    if (NEXT(PMPI_Cart_shift)(communicator, (int)d, 1, &t->sources[2 * d], &t->sources[2 * d + 1]) != MPI_SUCCESS)
      return 0;
  memcpy(t->targets, t->sources, t->in * sizeof *t->sources);
  return 1;
}

static int of_graph(MPI_Comm communicator, struct topology *t) {
  int rank = 0;
  NEXT(PMPI_Comm_rank)(communicator, &rank);
  if (NEXT(PMPI_Graph_neighbors)(communicator, rank, (int)t->in, t->sources) != MPI_SUCCESS) return 0;
  memcpy(t->targets, t->sources, t->in * sizeof *t->sources);
  return 1;
}

static int of_distributed_graph(MPI_Comm communicator, struct topology *t) {
  int *weights = calloc(t->in + t->out + 1, sizeof *weights);
  const int known =
      weights != NULL && NEXT(PMPI_Dist_graph_neighbors)(communicator, (int)t->in, t->sources, weights, (int)t->out,
                                                         t->targets, weights + t->in) == MPI_SUCCESS;
  free(weights);
  return known;
}

int topology_of(MPI_Comm communicator, struct topology *t) {
  *t = (struct topology){0};
  if (!neighbours_of(communicator, &t->in, &t->out)) return 0;
  t->sources = calloc(t->in + 1, sizeof *t->sources);
  t->targets = calloc(t->out + 1, sizeof *t->targets);
  const int kind = kind_of(communicator);
  if (t->sources != NULL && t->targets != NULL &&
      (kind == MPI_CART    ? of_grid
       : kind == MPI_GRAPH ? of_graph
                           : of_distributed_graph)(communicator, t))
    return 1;
  topology_free(t);
  return 0;
}

void topology_free(struct topology *t) {
  free(t->sources);
  free(t->targets);
}
