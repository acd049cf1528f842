#include "builder.h"

#include "bounds.h"
#include "exact.h"
#include "layout.h"
#include "share.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A node, and the arguments of its constructor, in the arena. */
struct built {
  enum stowage_combiner combiner;
  const char *name; /* of a predefined type */
  int64_t *integers, *addresses;
  stowage_node *children;
  size_t integer_count, address_count, child_count;
  struct build_bounds bounds;
};

struct stowage_builder {
  enum stowage_rule rule;
  enum stowage_status status;
  struct arena arena;
  struct built *nodes;
  uint32_t count, room;
  char error[160];
};

stowage_builder *stowage_builder_new(enum stowage_rule rule) {
  stowage_builder *builder = calloc(1, sizeof *builder);
  if (builder != NULL) builder->rule = rule;
  return builder;
}

void stowage_builder_free(stowage_builder *builder) {
  if (builder == NULL) return;
  arena_free(&builder->arena);
  free(builder->nodes);
  free(builder);
}

const char *stowage_builder_error(const stowage_builder *builder) { return builder->error; }
enum stowage_status stowage_builder_status(const stowage_builder *builder) { return builder->status; }

/* The first failure is the one that is told. */
__attribute__((format(printf, 3, 4))) static stowage_node refused(stowage_builder *builder, enum stowage_status status,
                                                                  const char *format, ...) {
  va_list values;
  if (builder->status != STOWAGE_OK) return STOWAGE_NO_NODE;
  builder->status = status;
  va_start(values, format);
  vsnprintf(builder->error, sizeof builder->error, format, values);
  va_end(values);
  return STOWAGE_NO_NODE;
}

static stowage_node without_memory(stowage_builder *builder) {
  return refused(builder, STOWAGE_NO_MEMORY, "%s", stowage_text(STOWAGE_NO_MEMORY));
}

/* --- Checks --- */

static int is_count(stowage_builder *builder, const char *of, const char *what, int64_t value) {
  if (value >= 0) return 1;
  refused(builder, STOWAGE_DESCRIPTION, "%s of %s: expected 0 or more, got %" PRId64, what, of, value);
  return 0;
}

static int are_counts(stowage_builder *builder, const char *of, const char *what, const int64_t *values,
                      int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    if (values[i] >= 0) continue;
    refused(builder, STOWAGE_DESCRIPTION, "%s %" PRId64 " of %s: expected 0 or more, got %" PRId64, what, i, of,
            values[i]);
    return 0;
  }
  return 1;
}

static int is_child(stowage_builder *builder, const char *of, stowage_node child) {
  if (child < builder->count) return 1;
  refused(builder, STOWAGE_DESCRIPTION, "child of %s: expected a node of this builder, got none", of);
  return 0;
}

static int is_order(stowage_builder *builder, const char *of, int order) {
  if (order == STOWAGE_ORDER_C || order == STOWAGE_ORDER_FORTRAN) return 1;
  refused(builder, STOWAGE_DESCRIPTION, "order of %s: expected STOWAGE_ORDER_C or STOWAGE_ORDER_FORTRAN, got %d", of,
          order);
  return 0;
}

/* --- Nodes --- */

/* Lists that are part of a node, in order. */
struct part {
  const int64_t *values;
  int64_t count;
};

/* The numbers of parts, one behind the other, in the arena; NULL: no memory. */
static int64_t *joined_parts(stowage_builder *builder, const struct part *parts, size_t count, size_t *length) {
  uint64_t all = 0;
  for (size_t i = 0; i < count; i++) all += (uint64_t)parts[i].count;
  *length = (size_t)all;
  if (all > SIZE_MAX / 64) return NULL;
  int64_t *values = arena_take(&builder->arena, ((size_t)all + 1) * sizeof *values);
  for (size_t i = 0, at = 0; i < count && values != NULL; at += (size_t)parts[i++].count)
    if (parts[i].count > 0) memcpy(values + at, parts[i].values, (size_t)parts[i].count * sizeof *values);
  return values;
}

static struct built *new_node(stowage_builder *builder) {
  if (builder->count == builder->room) {
    const uint32_t room = builder->room == 0 ? 16 : 2 * builder->room;
    struct built *nodes = room < builder->room ? NULL : realloc(builder->nodes, room * sizeof *nodes);
    if (nodes == NULL) return NULL;
    builder->nodes = nodes;
    builder->room = room;
  }
  struct built *node = &builder->nodes[builder->count];
  memset(node, 0, sizeof *node);
  return node;
}

static stowage_node kept(stowage_builder *builder, struct built *node, struct build_bounds bounds) {
  node->bounds = bounds;
  if (bounds.identity == BOUNDS_FRESH) node->bounds.identity = ((uint64_t)1 << 32) + builder->count;
  return builder->count++;
}

/* How many parts a constructor's integers have at most, and its addresses. */
enum { MOST_PARTS = 8 };

struct arguments {
  struct part integers[MOST_PARTS], addresses[2];
  size_t integer_parts, address_parts;
};

static void add_integer(struct arguments *arguments, const int64_t *values, int64_t count) {
  arguments->integers[arguments->integer_parts++] = (struct part){values, count};
}

static void add_address(struct arguments *arguments, const int64_t *values, int64_t count) {
  arguments->addresses[arguments->address_parts++] = (struct part){values, count};
}

/* A node of arguments that were checked. */
static stowage_node node_of(stowage_builder *builder, const char *of, enum stowage_combiner combiner,
                            const struct arguments *arguments, const stowage_node *children, int64_t child_count) {
  if (builder->status != STOWAGE_OK) return STOWAGE_NO_NODE;
  struct built *node = new_node(builder);
  if (node == NULL) return without_memory(builder);
  node->combiner = combiner;
  node->integers = joined_parts(builder, arguments->integers, arguments->integer_parts, &node->integer_count);
  node->addresses = joined_parts(builder, arguments->addresses, arguments->address_parts, &node->address_count);
  node->child_count = (size_t)child_count;
  node->children = arena_take(&builder->arena, (node->child_count + 1) * sizeof *node->children);
  const struct build_bounds **bounds = child_count == 1 ? NULL : malloc((node->child_count + 1) * sizeof *bounds);
  const struct build_bounds *only = NULL;
  if (node->integers == NULL || node->addresses == NULL || node->children == NULL ||
      (child_count != 1 && bounds == NULL)) {
    free(bounds);
    return without_memory(builder);
  }
  for (int64_t i = 0; i < child_count; i++) {
    node->children[i] = children[i];
    only = &builder->nodes[children[i]].bounds;
    if (bounds != NULL) bounds[i] = only;
  }
  const struct build_contents contents = {.combiner = combiner,
                                          .integers = node->integers,
                                          .addresses = node->addresses,
                                          .integer_count = node->integer_count,
                                          .address_count = node->address_count,
                                          .child_count = node->child_count,
                                          .children = bounds == NULL ? &only : bounds};
  int is_over = 0;
  const struct build_bounds own = bounds_by(builder->rule, &contents, &is_over);
  free(bounds);
  if (is_over) return refused(builder, STOWAGE_OVERFLOW, "size and bounds of %s: expected 64 bits, got more", of);
  return kept(builder, node, own);
}

stowage_node stowage_named(stowage_builder *builder, const char *mpi_name) {
  const size_t letters = strlen(mpi_name);
  struct predefined facts = {.alignment = fortran_bytes(mpi_name, letters)};
  if (builder->status != STOWAGE_OK) return STOWAGE_NO_NODE;
  if (!predefined_of(mpi_name, letters, &facts)) {
    if (facts.alignment == 0)
      return refused(builder, STOWAGE_DESCRIPTION,
                     "predefined type: expected the MPI name of a type of C or Fortran, got %.64s", mpi_name);
    facts.extent = facts.length[0] = facts.alignment;
    /* A pair is aligned as its parts are, and so is a complex number. */
    if (strstr(mpi_name, "COMPLEX") != NULL || mpi_name[4] == '2') facts.alignment /= 2;
    facts.kind = -(int)builder->count - 1;
  }
  struct built *node = new_node(builder);
  char *name = arena_take(&builder->arena, letters + 1);
  if (node == NULL || name == NULL) return without_memory(builder);
  memcpy(name, mpi_name, letters + 1);
  node->combiner = STOWAGE_NAMED;
  node->name = name;
  return kept(builder, node, predefined_bounds(&facts));
}

stowage_node stowage_contiguous(stowage_builder *builder, int64_t count, stowage_node child) {
  static const char of[] = "contiguous";
  if (!is_child(builder, of, child) || !is_count(builder, of, "count", count)) return STOWAGE_NO_NODE;
  struct arguments arguments = {.integer_parts = 0};
  add_integer(&arguments, &count, 1);
  return node_of(builder, of, STOWAGE_CONTIGUOUS, &arguments, &child, 1);
}

/* Both vectors: a stride is an address where it is in bytes. */
static stowage_node vector_node(stowage_builder *builder, const char *of, enum stowage_combiner combiner, int64_t count,
                                int64_t blocklength, int64_t stride, stowage_node child) {
  if (!is_child(builder, of, child) || !is_count(builder, of, "count", count) ||
      !is_count(builder, of, "blocklength", blocklength))
    return STOWAGE_NO_NODE;
  struct arguments arguments = {.integer_parts = 0};
  add_integer(&arguments, &count, 1);
  add_integer(&arguments, &blocklength, 1);
  if (combiner == STOWAGE_VECTOR) add_integer(&arguments, &stride, 1);
  else add_address(&arguments, &stride, 1);
  return node_of(builder, of, combiner, &arguments, &child, 1);
}

stowage_node stowage_vector(stowage_builder *builder, int64_t count, int64_t blocklength, int64_t stride,
                            stowage_node child) {
  return vector_node(builder, "vector", STOWAGE_VECTOR, count, blocklength, stride, child);
}

stowage_node stowage_hvector(stowage_builder *builder, int64_t count, int64_t blocklength, int64_t stride_bytes,
                             stowage_node child) {
  return vector_node(builder, "hvector", STOWAGE_HVECTOR, count, blocklength, stride_bytes, child);
}

/* Lists of blocks: displacements are addresses where they are in bytes. */
static stowage_node list_node(stowage_builder *builder, const char *of, enum stowage_combiner combiner, int64_t count,
                              struct part lengths, const int64_t *displacements, stowage_node child) {
  if (!is_child(builder, of, child) || !is_count(builder, of, "count", count)) return STOWAGE_NO_NODE;
  if (lengths.count < 0) lengths.count = count;
  if (!are_counts(builder, of, "blocklength", lengths.values, lengths.count)) return STOWAGE_NO_NODE;
  struct arguments arguments = {.integer_parts = 0};
  add_integer(&arguments, &count, 1);
  add_integer(&arguments, lengths.values, lengths.count);
  if (combiner == STOWAGE_INDEXED || combiner == STOWAGE_INDEXED_BLOCK) add_integer(&arguments, displacements, count);
  else add_address(&arguments, displacements, count);
  return node_of(builder, of, combiner, &arguments, &child, 1);
}

stowage_node stowage_indexed(stowage_builder *builder, int64_t count, const int64_t *blocklengths,
                             const int64_t *displacements, stowage_node child) {
  const struct part lengths = {blocklengths, -1};
  return list_node(builder, "indexed", STOWAGE_INDEXED, count, lengths, displacements, child);
}

stowage_node stowage_hindexed(stowage_builder *builder, int64_t count, const int64_t *blocklengths,
                              const int64_t *displacements_bytes, stowage_node child) {
  const struct part lengths = {blocklengths, -1};
  return list_node(builder, "hindexed", STOWAGE_HINDEXED, count, lengths, displacements_bytes, child);
}

stowage_node stowage_indexed_block(stowage_builder *builder, int64_t count, int64_t blocklength,
                                   const int64_t *displacements, stowage_node child) {
  const struct part length = {&blocklength, 1};
  return list_node(builder, "indexed_block", STOWAGE_INDEXED_BLOCK, count, length, displacements, child);
}

stowage_node stowage_hindexed_block(stowage_builder *builder, int64_t count, int64_t blocklength,
                                    const int64_t *displacements_bytes, stowage_node child) {
  const struct part length = {&blocklength, 1};
  return list_node(builder, "hindexed_block", STOWAGE_HINDEXED_BLOCK, count, length, displacements_bytes, child);
}

stowage_node stowage_struct(stowage_builder *builder, int64_t count, const int64_t *blocklengths,
                            const int64_t *displacements_bytes, const stowage_node *children) {
  static const char of[] = "struct";
  if (!is_count(builder, of, "count", count) || !are_counts(builder, of, "blocklength", blocklengths, count))
    return STOWAGE_NO_NODE;
  for (int64_t i = 0; i < count; i++)
    if (!is_child(builder, of, children[i])) return STOWAGE_NO_NODE;
  struct arguments arguments = {.integer_parts = 0};
  add_integer(&arguments, &count, 1);
  add_integer(&arguments, blocklengths, count);
  add_address(&arguments, displacements_bytes, count);
  return node_of(builder, of, STOWAGE_STRUCT, &arguments, children, count);
}

static int are_dimensions(stowage_builder *builder, const char *of, int64_t dimensions) {
  if (dimensions > 0) return 1;
  refused(builder, STOWAGE_DESCRIPTION, "dimensions of %s: expected 1 or more, got %" PRId64, of, dimensions);
  return 0;
}

stowage_node stowage_subarray(stowage_builder *builder, int64_t dimensions, const int64_t *sizes,
                              const int64_t *subsizes, const int64_t *starts, int order, stowage_node child) {
  static const char of[] = "subarray";
  const int64_t wide_order = order;
  const struct subarray box = {dimensions, sizes, subsizes, starts, order};
  if (!is_child(builder, of, child) || !are_dimensions(builder, of, dimensions) || !is_order(builder, of, order))
    return STOWAGE_NO_NODE;
  if (!subarray_is_sound(&box))
    return refused(builder, STOWAGE_DESCRIPTION,
                   "box of subarray: expected 1 or more elements inside the array, got "
                   "others");
  struct arguments arguments = {.integer_parts = 0};
  add_integer(&arguments, &dimensions, 1);
  add_integer(&arguments, sizes, dimensions);
  add_integer(&arguments, subsizes, dimensions);
  add_integer(&arguments, starts, dimensions);
  add_integer(&arguments, &wide_order, 1);
  return node_of(builder, of, STOWAGE_SUBARRAY, &arguments, &child, 1);
}

stowage_node stowage_darray(stowage_builder *builder, int64_t size, int64_t rank, int64_t dimensions,
                            const int64_t *sizes, const int64_t *distributions, const int64_t *arguments_of,
                            const int64_t *processes, int order, stowage_node child) {
  static const char of[] = "darray";
  const int64_t head[] = {size, rank, dimensions}, wide_order = order;
  const struct darray array = {size, rank, dimensions, sizes, distributions, arguments_of, processes, order};
  if (!is_child(builder, of, child) || !are_dimensions(builder, of, dimensions) || !is_order(builder, of, order))
    return STOWAGE_NO_NODE;
  if (!darray_is_sound(&array))
    return refused(builder, STOWAGE_DESCRIPTION,
                   "grid of darray: expected distributions and processes that hold the array, got others");
  struct arguments arguments = {.integer_parts = 0};
  add_integer(&arguments, head, 3);
  add_integer(&arguments, sizes, dimensions);
  add_integer(&arguments, distributions, dimensions);
  add_integer(&arguments, arguments_of, dimensions);
  add_integer(&arguments, processes, dimensions);
  add_integer(&arguments, &wide_order, 1);
  return node_of(builder, of, STOWAGE_DARRAY, &arguments, &child, 1);
}

stowage_node stowage_resized(stowage_builder *builder, int64_t lower_bound_bytes, int64_t extent_bytes,
                             stowage_node child) {
  static const char of[] = "resized";
  const int64_t bounds[] = {lower_bound_bytes, extent_bytes};
  if (!is_child(builder, of, child)) return STOWAGE_NO_NODE;
  struct arguments arguments = {.integer_parts = 0};
  add_address(&arguments, bounds, 2);
  return node_of(builder, of, STOWAGE_RESIZED, &arguments, &child, 1);
}

stowage_node stowage_dup(stowage_builder *builder, stowage_node child) {
  static const char of[] = "dup";
  const struct arguments arguments = {.integer_parts = 0};
  return is_child(builder, of, child) ? node_of(builder, of, STOWAGE_DUP, &arguments, &child, 1) : STOWAGE_NO_NODE;
}

/* --- Descriptions --- */

/* A node whose children are being described, and the next of them. */
struct open_node {
  stowage_node node;
  size_t next;
};

static enum stowage_status describe_one(const struct built *node, stowage_describer *describer, const uint32_t *numbers,
                                        uint32_t *children, uint32_t *number) {
  if (node->combiner == STOWAGE_NAMED)
    return stowage_describe_named(describer, node->name, node->bounds.lower, node->bounds.extent, number);
  for (size_t i = 0; i < node->child_count; i++) children[i] = numbers[node->children[i]];
  const struct stowage_contents contents = {node->integers,      node->addresses,     children,
                                            node->integer_count, node->address_count, node->child_count};
  return stowage_describe_node(describer, node->combiner, &contents, node->bounds.lower, node->bounds.extent, number);
}

/* Numbers of nodes in the description, a list of open nodes and one of children: from left to right, as a program that
 * walks a handle meets them; nesting costs no stack. */
static enum stowage_status describe_all(const stowage_builder *builder, stowage_node root, stowage_describer *describer,
                                        uint32_t *numbers, struct open_node *open, uint32_t *children) {
  enum stowage_status status = STOWAGE_OK;
  size_t depth = 0;
  open[depth++] = (struct open_node){root, 0};
  while (depth > 0 && status == STOWAGE_OK) {
    struct open_node *top = &open[depth - 1];
    const struct built *node = &builder->nodes[top->node];
    if (top->next < node->child_count) {
      const stowage_node child = node->children[top->next++];
      if (numbers[child] == STOWAGE_NO_NODE) open[depth++] = (struct open_node){child, 0};
      continue;
    }
    status = describe_one(node, describer, numbers, children, &numbers[top->node]);
    depth--;
  }
  return status;
}

enum stowage_status describe_node_of(const stowage_builder *builder, stowage_node node, stowage_describer *describer) {
  if (builder->status != STOWAGE_OK) return builder->status;
  if (node >= builder->count) return STOWAGE_DESCRIPTION;
  size_t most_children = 1;
  for (uint32_t i = 0; i <= node; i++)
    if (builder->nodes[i].child_count > most_children) most_children = builder->nodes[i].child_count;
  /* Children come before what is made of them: only nodes up to this one are met. */
  const size_t nodes = (size_t)node + 1;
  struct open_node *open = malloc(nodes * sizeof *open);
  uint32_t *numbers = malloc((nodes + most_children) * sizeof *numbers);
  enum stowage_status status = STOWAGE_NO_MEMORY;
  if (open != NULL && numbers != NULL) {
    memset(numbers, 0xff, nodes * sizeof *numbers);
    status = describe_all(builder, node, describer, numbers, open, numbers + nodes);
  }
  free(open);
  free(numbers);
  return status;
}
