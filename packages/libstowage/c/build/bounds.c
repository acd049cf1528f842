#include "bounds.h"

#include "exact.h"
#include "share.h"

#include <stdlib.h>

static const struct build_bounds NO_BOUNDS = {.alignment = 1};

/* The copies of a child inside a type: how many, and the displacements of the lowest and the highest. */
struct reach {
  int64_t copies, lowest, highest;
};

struct build_bounds predefined_bounds(const struct predefined *facts) {
  const int64_t end = facts->length[1] > 0 ? facts->offset[1] + facts->length[1] : facts->length[0];
  return (struct build_bounds){.size = facts->length[0] + facts->length[1],
                               .extent = facts->extent,
                               .true_extent = end,
                               .alignment = facts->alignment,
                               .identity = (uint64_t)facts->kind};
}

/* `count` blocks, `stride` apart, of `length` copies `extent` apart. */
static struct reach regular_reach(int *over, int64_t count, int64_t stride, int64_t length, int64_t extent) {
  if (count == 0 || length == 0) return (struct reach){0, 0, 0};
  const int64_t block = product_of(over, count - 1, stride), copy = product_of(over, length - 1, extent);
  return (struct reach){product_of(over, count, length), sum_of(over, lesser(0, block), lesser(0, copy)),
                        sum_of(over, greater(0, block), greater(0, copy))};
}

/* Blocks at displacements: of lengths of their own, or of one. */
struct blocks {
  int64_t count, unit, length;
  const int64_t *displacements, *lengths;
};

static int64_t length_at(const struct blocks *blocks, int64_t i) {
  return blocks->lengths == NULL ? blocks->length : blocks->lengths[i];
}

/* Empty blocks reach nowhere. */
static struct reach list_reach(int *over, const struct blocks *blocks, int64_t extent) {
  struct reach reach = {0, 0, 0};
  for (int64_t i = 0; i < blocks->count; i++) {
    const int64_t length = length_at(blocks, i);
    if (length == 0) continue;
    const int64_t first = product_of(over, blocks->displacements[i], blocks->unit);
    const int64_t last = sum_of(over, first, product_of(over, length - 1, extent));
    const int is_first = reach.copies == 0;
    reach.copies = sum_of(over, reach.copies, length);
    reach.lowest = is_first ? lesser(first, last) : lesser(reach.lowest, lesser(first, last));
    reach.highest = is_first ? greater(first, last) : greater(reach.highest, greater(first, last));
  }
  return reach;
}

/* The least of (displacement + a bound) over all copies is taken at the lowest copy and the greatest at the highest:
 * a bound moves with its copy (MPI 4.1, section 5.1.5). */
static struct build_bounds replicated(int *over, const struct build_bounds *child, struct reach reach) {
  const int64_t span = difference_of(over, reach.highest, reach.lowest);
  struct build_bounds bounds = *child;
  bounds.identity = BOUNDS_FRESH;
  bounds.size = product_of(over, reach.copies, child->size);
  bounds.lower = sum_of(over, reach.lowest, child->lower);
  bounds.extent = sum_of(over, span, child->extent);
  bounds.true_lower = bounds.size == 0 ? 0 : sum_of(over, reach.lowest, child->true_lower);
  bounds.true_extent = bounds.size == 0 ? 0 : sum_of(over, span, child->true_extent);
  return bounds;
}

/* The standard's epsilon: the extent of a type whose bounds nobody set is rounded up to a multiple of its alignment, by
 * moving the upper bound (MPI 4.1, section 5.1.5). */
static struct build_bounds padded(int *over, struct build_bounds bounds) {
  const int64_t rest = bounds.is_explicit ? 0 : bounds.extent % bounds.alignment;
  if (rest == 0) return bounds;
  /* As JavaScript's remainder, which has the dividend's sign. */
  bounds.extent = sum_of(over, bounds.extent, bounds.alignment - rest);
  bounds.identity = BOUNDS_FRESH;
  return bounds;
}

/* Those of two intervals that count: from the least lower end to the greatest upper one. */
static void hull(int *over, int64_t *lower, int64_t *extent, int counts, int64_t other, int64_t other_extent,
                 int other_counts) {
  if (!other_counts) {
    if (!counts) *lower = *extent = 0;
    return;
  }
  if (!counts) {
    *lower = other;
    *extent = other_extent;
    return;
  }
  const int64_t upper = greater(sum_of(over, *lower, *extent), sum_of(over, other, other_extent));
  *lower = lesser(*lower, other);
  *extent = difference_of(over, upper, *lower);
}

/* Bounds of two members. Explicit ones are sticky: where either has them, only they count. */
static struct build_bounds joined(int *over, struct build_bounds first, const struct build_bounds *second) {
  hull(over, &first.lower, &first.extent, first.is_explicit || !second->is_explicit, second->lower, second->extent,
       second->is_explicit || !first.is_explicit);
  hull(over, &first.true_lower, &first.true_extent, first.size > 0, second->true_lower, second->true_extent,
       second->size > 0);
  first.size = sum_of(over, first.size, second->size);
  first.alignment = greater(first.alignment, second->alignment);
  first.is_explicit = first.is_explicit || second->is_explicit;
  first.identity = BOUNDS_FRESH;
  return first;
}

/* --- What the rules share --- */

static struct blocks blocks_in(const struct build_contents *contents) {
  const int64_t count = contents->integers[0], extent = contents->children[0]->extent;
  const int64_t *integers = contents->integers + 1;
  switch (contents->combiner) {
  case STOWAGE_INDEXED: return (struct blocks){count, extent, 0, integers + count, integers};
  case STOWAGE_HINDEXED: return (struct blocks){count, 1, 0, contents->addresses, integers};
  case STOWAGE_INDEXED_BLOCK: return (struct blocks){count, extent, integers[0], integers + 1, NULL};
  case STOWAGE_HINDEXED_BLOCK: return (struct blocks){count, 1, integers[0], contents->addresses, NULL};
  default: return (struct blocks){count, 1, 0, contents->addresses, integers}; /* of a struct */
  }
}

/* Where the copies of its child lie that a type is made of. */
static struct reach copies_reach(int *over, const struct build_contents *contents) {
  const int64_t *integers = contents->integers, extent = contents->children[0]->extent;
  switch (contents->combiner) {
  case STOWAGE_CONTIGUOUS: return regular_reach(over, 1, 0, integers[0], extent);
  case STOWAGE_VECTOR: {
    /* A lone block has no stride. */
    const int64_t stride = integers[0] > 1 ? product_of(over, integers[2], extent) : 0;
    return regular_reach(over, integers[0], stride, integers[1], extent);
  }
  case STOWAGE_HVECTOR: return regular_reach(over, integers[0], contents->addresses[0], integers[1], extent);
  default: {
    const struct blocks blocks = blocks_in(contents);
    return list_reach(over, &blocks, extent);
  }
  }
}

/* The elements of a subarray or darray, and the extent of the whole array. */
static struct reach box_reach(int *over, const struct build_contents *contents, int64_t *whole) {
  const int is_subarray = contents->combiner == STOWAGE_SUBARRAY;
  const int64_t *integers = contents->integers, n = integers[is_subarray ? 0 : 2];
  const int64_t *sizes = integers + (is_subarray ? 1 : 3), order = integers[contents->integer_count - 1];
  struct share *shares = NULL;
  *whole = contents->children[0]->extent;
  if (!is_subarray) {
    const struct darray array = {integers[0],          integers[1],          n,    integers + 3, integers + 3 + n,
                                 integers + 3 + 2 * n, integers + 3 + 3 * n, order};
    shares = malloc((size_t)n * sizeof *shares);
    if (shares == NULL) {
      *over = 1;
      return (struct reach){0, 0, 0};
    }
    shares_of(&array, shares);
  }
  struct reach reach = {1, 0, 0};
  for (int64_t i = 0; i < n; i++) {
    const int64_t along = dimension_from_fastest(i, n, order);
    int64_t elements, first, last;
    if (is_subarray) {
      elements = integers[1 + n + along];
      first = integers[1 + 2 * n + along];
      last = first + elements - 1;
    } else {
      const struct share *share = &shares[along];
      const int64_t held = share->full + (share->rest > 0);
      elements = share->full * share->block + share->rest;
      first = share->first;
      last = first + (held - 1) * share->stride + (share->rest > 0 ? share->rest : share->block) - 1;
    }
    const int64_t low = product_of(over, first, *whole), high = elements == 0 ? low : product_of(over, last, *whole);
    reach.copies = product_of(over, reach.copies, elements);
    reach.lowest = sum_of(over, reach.lowest, lesser(low, high));
    reach.highest = sum_of(over, reach.highest, greater(low, high));
    *whole = product_of(over, *whole, sizes[along]);
  }
  free(shares);
  return reach;
}

/* The user's bounds over those of what is inside: as given, or the whole array's. MPI 4.1, sections 5.1.3, 5.1.7. */
static struct build_bounds explicit_bounds(int *over, const struct build_contents *contents) {
  struct build_bounds bounds = *contents->children[0];
  if (contents->combiner == STOWAGE_RESIZED) {
    bounds.lower = contents->addresses[0];
    bounds.extent = contents->addresses[1];
  } else {
    int64_t whole;
    const struct reach reach = box_reach(over, contents, &whole);
    bounds = reach.copies == 0 ? NO_BOUNDS : replicated(over, contents->children[0], reach);
    bounds.lower = 0;
    bounds.extent = whole;
  }
  bounds.is_explicit = 1;
  bounds.identity = BOUNDS_FRESH;
  return bounds;
}

/* Member i of a struct where it stands; 0: it has no copies, and is none. */
static int member_at(int *over, const struct build_contents *contents, size_t i, struct build_bounds *member) {
  const struct build_bounds *child = contents->children[i];
  const int64_t length = contents->integers[1 + i], at = contents->addresses[i];
  if (length == 0) return 0;
  struct reach reach = regular_reach(over, 1, 0, length, child->extent);
  reach.lowest = sum_of(over, reach.lowest, at);
  reach.highest = sum_of(over, reach.highest, at);
  *member = replicated(over, child, reach);
  return 1;
}

static int is_bounding(enum stowage_combiner combiner) {
  return combiner == STOWAGE_RESIZED || combiner == STOWAGE_SUBARRAY || combiner == STOWAGE_DARRAY;
}

/* --- The standard's rule: a type map's entries are data and explicit markers; one without entries has no bounds --- */

static int has_no_entry(const struct build_bounds *bounds) { return bounds->size == 0 && !bounds->is_explicit; }

static struct build_bounds standard_struct(int *over, const struct build_contents *contents) {
  struct build_bounds bounds = NO_BOUNDS, member;
  int is_first = 1;
  for (size_t i = 0; i < contents->child_count; i++) {
    if (!member_at(over, contents, i, &member) || has_no_entry(&member)) continue;
    bounds = is_first ? member : joined(over, bounds, &member);
    is_first = 0;
  }
  return is_first ? NO_BOUNDS : padded(over, bounds);
}

static struct build_bounds standard_bounds(int *over, const struct build_contents *contents) {
  if (contents->combiner == STOWAGE_STRUCT) return standard_struct(over, contents);
  if (is_bounding(contents->combiner)) return explicit_bounds(over, contents);
  if (contents->combiner == STOWAGE_DUP) return *contents->children[0];
  if (has_no_entry(contents->children[0])) return NO_BOUNDS;
  const struct reach reach = copies_reach(over, contents);
  return reach.copies == 0 ? NO_BOUNDS : replicated(over, contents->children[0], reach);
}

/* --- Open MPI's: copies stand where they stand, whether or not they hold data; every constructor is padded --- */

/* Byte displacements need not be aligned: a block that later proves inner may have pushed the upper bound. `bounds` are
 * those of the list before any padding. */
static struct build_bounds block_by_block(int *over, struct build_bounds bounds, const struct build_bounds *child,
                                          const struct blocks *blocks) {
  const int64_t alignment = bounds.alignment;
  if (bounds.is_explicit || alignment == 1) return bounds;
  int64_t lower = 0, upper = 0;
  int is_first = 1;
  for (int64_t i = 0; i < blocks->count; i++) {
    const int64_t length = length_at(blocks, i);
    if (length == 0) continue;
    const int64_t first = sum_of(over, blocks->displacements[i], child->lower);
    const int64_t end = sum_of(over, first, product_of(over, length, child->extent));
    if (!is_first && first >= lower && end <= upper) continue;
    lower = is_first ? first : lesser(lower, first);
    upper = is_first ? end : greater(upper, end);
    is_first = 0;
    const int64_t span = difference_of(over, upper, lower), rest = span % alignment;
    upper = sum_of(over, upper, rest > 0 ? alignment - rest : -rest); /* up, of negative spans too */
  }
  bounds.extent = difference_of(over, upper, lower);
  return bounds;
}

static struct build_bounds open_mpi_copies(int *over, const struct build_contents *contents) {
  const struct build_bounds *child = contents->children[0];
  const struct reach reach = copies_reach(over, contents);
  if (reach.copies == 0) return NO_BOUNDS;
  const struct build_bounds bounds = replicated(over, child, reach);
  if (contents->combiner != STOWAGE_HINDEXED && contents->combiner != STOWAGE_HINDEXED_BLOCK)
    return padded(over, bounds);
  const struct blocks blocks = blocks_in(contents);
  return block_by_block(over, bounds, child, &blocks);
}

static struct build_bounds open_mpi_struct(int *over, const struct build_contents *contents) {
  struct build_bounds bounds = NO_BOUNDS, member;
  int is_first = 1;
  for (size_t i = 0; i < contents->child_count; i++) {
    if (!member_at(over, contents, i, &member)) continue;
    bounds = padded(over, is_first ? member : joined(over, bounds, &member));
    is_first = 0;
  }
  return bounds;
}

static struct build_bounds open_mpi_bounds(int *over, const struct build_contents *contents) {
  const enum stowage_combiner combiner = contents->combiner;
  if (combiner == STOWAGE_STRUCT) return open_mpi_struct(over, contents);
  if (is_bounding(combiner)) return explicit_bounds(over, contents);
  if (combiner == STOWAGE_DUP) return *contents->children[0];
  const int makes_nothing =
      combiner == STOWAGE_CONTIGUOUS || combiner == STOWAGE_INDEXED || combiner == STOWAGE_HINDEXED;
  if (makes_nothing && contents->children[0]->size == 0) return NO_BOUNDS;
  return open_mpi_copies(over, contents);
}

/* --- MPICH's, from 4.0 on, whose datatypes yaksa keeps: nobody's bounds are sticky --- */

/* The copies of blocks of `length` between two displacements: of none, one copy less than one. */
static struct reach block_reach(int *over, int64_t lowest, int64_t highest, int64_t blocks, int64_t length,
                                int64_t extent) {
  const int64_t last = product_of(over, length - 1, extent);
  return (struct reach){product_of(over, blocks, length), extent > 0 ? lowest : sum_of(over, lowest, last),
                        extent > 0 ? sum_of(over, highest, last) : highest};
}

static struct build_bounds mpich_regular(int *over, const struct build_bounds *child, int64_t blocks, int64_t length,
                                         int64_t stride) {
  if (blocks == 0 || child->size == 0) return NO_BOUNDS;
  if (blocks == 1 && length == 1) return *child;
  const int64_t last = product_of(over, blocks - 1, stride);
  return replicated(over, child, block_reach(over, lesser(0, last), greater(0, last), blocks, length, child->extent));
}

static struct build_bounds mpich_uniform(int *over, const struct build_bounds *child, const struct blocks *blocks,
                                         int64_t length) {
  if (blocks->count == 0 || child->size == 0) return NO_BOUNDS;
  if (blocks->count == 1 && length == 1 && blocks->displacements[0] == 0) return *child;
  int64_t lowest = 0, highest = 0;
  for (int64_t i = 0; i < blocks->count; i++) {
    const int64_t at = product_of(over, blocks->displacements[i], blocks->unit);
    lowest = i == 0 ? at : lesser(lowest, at);
    highest = i == 0 ? at : greater(highest, at);
  }
  return replicated(over, child, block_reach(over, lowest, highest, blocks->count, length, child->extent));
}

static struct build_bounds mpich_listed(int *over, const struct build_bounds *child, const struct blocks *blocks) {
  int is_uniform = 1;
  for (int64_t i = 1; i < blocks->count && is_uniform; i++) is_uniform = blocks->lengths[i] == blocks->lengths[0];
  const int64_t length = blocks->count == 0 ? -1 : blocks->lengths[0];
  if (is_uniform && length != 0) return mpich_uniform(over, child, blocks, length);
  const struct reach reach = list_reach(over, blocks, child->extent);
  return reach.copies == 0 || child->size == 0 ? NO_BOUNDS : replicated(over, child, reach);
}

/* A struct of one type throughout is a list of blocks, unpadded. */
static struct build_bounds mpich_struct(int *over, const struct build_contents *contents) {
  struct build_bounds bounds = NO_BOUNDS, member;
  int is_first = 1, is_of_one = contents->child_count > 0;
  for (size_t i = 1; i < contents->child_count; i++)
    is_of_one = is_of_one && contents->children[i]->identity == contents->children[0]->identity;
  if (is_of_one) {
    const struct blocks blocks = blocks_in(contents);
    return mpich_listed(over, contents->children[0], &blocks);
  }
  for (size_t i = 0; i < contents->child_count; i++) {
    if (!member_at(over, contents, i, &member)) continue;
    bounds = is_first ? member : joined(over, bounds, &member);
    is_first = 0;
  }
  return is_first || bounds.size == 0 ? NO_BOUNDS : padded(over, bounds);
}

/* Bounds that change nothing leave the type as it was; of an array without elements nothing is left. */
static struct build_bounds mpich_bounded(int *over, const struct build_contents *contents) {
  struct build_bounds bounds = explicit_bounds(over, contents);
  const int is_empty = contents->combiner != STOWAGE_RESIZED && bounds.size == 0;
  const struct build_bounds *inside = is_empty ? &NO_BOUNDS : contents->children[0];
  if (bounds.size == inside->size && bounds.lower == inside->lower && bounds.extent == inside->extent &&
      bounds.true_lower == inside->true_lower)
    return *inside;
  bounds.alignment = inside->alignment;
  bounds.is_explicit = 0;
  return bounds;
}

static struct build_bounds mpich_bounds(int *over, const struct build_contents *contents) {
  const struct build_bounds *child = contents->child_count > 0 ? contents->children[0] : &NO_BOUNDS;
  const int64_t *integers = contents->integers;
  if (is_bounding(contents->combiner)) return mpich_bounded(over, contents);
  switch (contents->combiner) {
  case STOWAGE_DUP: return *child;
  case STOWAGE_STRUCT: return mpich_struct(over, contents);
  case STOWAGE_CONTIGUOUS: return mpich_regular(over, child, integers[0] == 0 ? 0 : 1, integers[0], 0);
  case STOWAGE_VECTOR: {
    const int64_t stride = integers[0] > 1 ? product_of(over, integers[2], child->extent) : 0;
    return mpich_regular(over, child, integers[0], integers[1], stride);
  }
  case STOWAGE_HVECTOR: return mpich_regular(over, child, integers[0], integers[1], contents->addresses[0]);
  default: {
    const struct blocks blocks = blocks_in(contents);
    return blocks.lengths != NULL ? mpich_listed(over, child, &blocks)
                                  : mpich_uniform(over, child, &blocks, blocks.length);
  }
  }
}

struct build_bounds bounds_by(enum stowage_rule rule, const struct build_contents *contents, int *is_over) {
  switch (rule) {
  case STOWAGE_OPEN_MPI: return open_mpi_bounds(is_over, contents);
  case STOWAGE_MPICH: return mpich_bounds(is_over, contents);
  case STOWAGE_STANDARD: break;
  }
  return standard_bounds(is_over, contents);
}
