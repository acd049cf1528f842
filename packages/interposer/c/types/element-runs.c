#include "element-runs.h"

#include "handle-table.h"
#include "nodes.h"
#include "store.h"

#include <stdlib.h>
#include <string.h>

/* Basic elements that are met one by one: a type with more of them has no list. */
enum { MOST_STEPS = 1 << 16 };

/* A list that grows, and the run that the next one may go on. */
struct walk {
  const struct nodes *nodes;
  struct element_runs *runs;
  int64_t offset;
  uint64_t length, bytes;
  int64_t low, high;
  int steps, has_failed;
};

static void add(struct walk *w, int64_t offset, uint64_t length) {
  struct element_runs *runs = w->runs;
  struct run_group *last = runs->count == 0 ? NULL : &runs->groups[runs->count - 1];
  const int fits = last != NULL && last->length == length;
  if (fits && last->count == 1) last->stride = offset - last->offset;
  if (fits && offset == last->offset + (int64_t)last->count * last->stride) last->count++;
  else if (runs->count == MOST_RUN_GROUPS) w->has_failed = 1;
  else runs->groups[runs->count++] = (struct run_group){offset, 0, length, 1};
}

/* The run so far is over. */
static void end_run(struct walk *w) {
  if (w->length > 0) add(w, w->offset, w->length);
  w->length = 0;
}

static void run(struct walk *w, int64_t offset, uint64_t length) {
  if (length == 0) return;
  const int64_t end = offset + (int64_t)length;
  if (++w->steps > MOST_STEPS) w->has_failed = 1;
  w->bytes += length;
  if (w->bytes == length || offset < w->low) w->low = offset;
  if (w->bytes == length || end > w->high) w->high = end;
  if (w->length > 0 && w->offset + (int64_t)w->length == offset) {
    w->length += length;
    return;
  }
  end_run(w);
  w->offset = offset;
  w->length = length;
}

static void element(struct walk *w, size_t node, int64_t offset);

/* Copies of a node, so far apart. */
static void copies(struct walk *w, size_t node, int64_t offset, int64_t count, int64_t stride) {
  for (int64_t i = 0; i < count && !w->has_failed; i++) element(w, node, offset + i * stride);
}

/* A node whose copies, an extent apart, lie as they are packed: a predefined type, or such side by side. */
static int is_side_by_side(const struct nodes *all, size_t node) {
  while (node_combiner(all, node) == STOWAGE_CONTIGUOUS || node_combiner(all, node) == STOWAGE_DUP)
    node = node_child(all, node, 0);
  return node_combiner(all, node) == STOWAGE_NAMED && all->sizes[node] == (uint64_t)node_extent(all, node);
}

/* A block of a constructor's child. */
static void block(struct walk *w, size_t child, int64_t offset, int64_t count) {
  if (is_side_by_side(w->nodes, child)) run(w, offset, (uint64_t)count * w->nodes->sizes[child]);
  else copies(w, child, offset, count, node_extent(w->nodes, child));
}

static void blocks_evenly_apart(struct walk *w, size_t node, int64_t offset, int64_t stride) {
  const struct nodes *all = w->nodes;
  for (int64_t i = 0; i < node_integer(all, node, 0) && !w->has_failed; i++)
    block(w, node_child(all, node, 0), offset + i * stride, node_integer(all, node, 1));
}

/* MPI_Type_indexed, its form in bytes, and those of one length. */
static void listed_blocks(struct walk *w, size_t node, int64_t offset, int has_one_length, int is_in_bytes) {
  const struct nodes *all = w->nodes;
  const size_t child = node_child(all, node, 0), count = (size_t)node_integer(all, node, 0);
  const size_t displacements = has_one_length ? 2 : 1 + count;
  for (size_t i = 0; i < count && !w->has_failed; i++) {
    const int64_t place =
        is_in_bytes ? node_address(all, node, i) : node_integer(all, node, displacements + i) * node_extent(all, child);
    block(w, child, offset + place, node_integer(all, node, has_one_length ? 1 : 1 + i));
  }
}

static void members(struct walk *w, size_t node, int64_t offset) {
  const struct nodes *all = w->nodes;
  for (size_t i = 0; i < (size_t)node_integer(all, node, 0) && !w->has_failed; i++)
    block(w, node_child(all, node, i), offset + node_address(all, node, i), node_integer(all, node, 1 + i));
}

/* A dimension of a subarray, counted from the fastest, and those inside; `extent` is the child's times the sizes of
 * these (MPI 4.1, section 5.1.3). */
static void rows(struct walk *w, size_t node, size_t dimensions, size_t from_fastest, int64_t offset) {
  const struct nodes *all = w->nodes;
  const size_t child = node_child(all, node, 0);
  const int is_fortran = node_integer(all, node, 1 + 3 * dimensions) == STOWAGE_ORDER_FORTRAN;
  int64_t extent = node_extent(all, child);
  for (size_t i = 0; i < from_fastest; i++)
    extent *= node_integer(all, node, 1 + (is_fortran ? i : dimensions - 1 - i));
  const size_t own = is_fortran ? from_fastest : dimensions - 1 - from_fastest;
  const int64_t count = node_integer(all, node, 1 + dimensions + own);
  const int64_t first = offset + node_integer(all, node, 1 + 2 * dimensions + own) * extent;
  if (from_fastest == 0) block(w, child, first, count);
  for (int64_t i = 0; from_fastest > 0 && i < count && !w->has_failed; i++)
    rows(w, node, dimensions, from_fastest - 1, first + i * extent);
}

/* One element of a node whose address 0 lies at an offset. */
static void element(struct walk *w, size_t node, int64_t offset) {
  const struct nodes *all = w->nodes;
  const size_t child = node_combiner(all, node) == STOWAGE_NAMED ? node : node_child(all, node, 0);
  const size_t first = (size_t)node_integer(all, node, 0);
  switch (node_combiner(all, node)) {
  case STOWAGE_NAMED:
    if (is_side_by_side(all, node)) run(w, offset, all->sizes[node]);
    else w->has_failed = 1;
    break;
  case STOWAGE_CONTIGUOUS: block(w, child, offset, (int64_t)first); break;
  case STOWAGE_VECTOR:
    blocks_evenly_apart(w, node, offset, node_integer(all, node, 2) * node_extent(all, child));
    break;
  case STOWAGE_HVECTOR: blocks_evenly_apart(w, node, offset, node_address(all, node, 0)); break;
  case STOWAGE_INDEXED: listed_blocks(w, node, offset, 0, 0); break;
  case STOWAGE_HINDEXED: listed_blocks(w, node, offset, 0, 1); break;
  case STOWAGE_INDEXED_BLOCK: listed_blocks(w, node, offset, 1, 0); break;
  case STOWAGE_HINDEXED_BLOCK: listed_blocks(w, node, offset, 1, 1); break;
  case STOWAGE_STRUCT: members(w, node, offset); break;
  case STOWAGE_SUBARRAY: rows(w, node, first, first - 1, offset); break;
  case STOWAGE_RESIZED:
  case STOWAGE_DUP: element(w, child, offset); break;
  default: w->has_failed = 1;
  }
}

/* As the type's code has it: what was read otherwise is no list. */
static int is_as_the_code(const struct walk *w, const struct stowage_move *pack) {
  const struct stowage_bounds *bounds = &pack->source;
  return w->bytes == (uint64_t)pack->size && w->low == bounds->true_lower_bound &&
         w->high == bounds->true_lower_bound + bounds->true_extent;
}

static struct element_runs *listed(const struct nodes *all, const struct stowage_move *pack) {
  struct element_runs *runs = malloc(sizeof *runs + MOST_RUN_GROUPS * sizeof *runs->groups);
  if (runs == NULL) return NULL;
  struct walk walk = {.nodes = all, .runs = runs};
  runs->count = 0;
  element(&walk, all->count - 1, 0);
  end_run(&walk);
  if (!walk.has_failed && is_as_the_code(&walk, pack)) return runs;
  free(runs);
  return NULL;
}

static struct element_runs *found(const stowage_kernel *kernel) {
  size_t length = 0;
  struct nodes all;
  const void *description = stowage_description(kernel, &length);
  if (description == NULL || !nodes_read(&all, description, length)) return NULL;
  struct element_runs *runs = listed(&all, stowage_move_at(kernel, STORE_PACK));
  nodes_free(&all);
  return runs;
}

/* By kernel, which stays as long as the process. */
static struct handle_table known = HANDLE_TABLE_EMPTY;
static struct element_runs none;

/* Two threads may find them out at once: either is right, and stays. */
const struct element_runs *element_runs_of(const stowage_kernel *kernel) {
  struct element_runs *runs = handle_find(&known, (uintptr_t)kernel);
  if (runs == NULL) {
    runs = found(kernel);
    if (runs == NULL) runs = &none;
    if (!handle_put(&known, (uintptr_t)kernel, runs) && runs != &none) return free(runs), NULL;
  }
  return runs == &none ? NULL : runs;
}
