/* An MPI datatype from a description's bytes (runtime/stowage.h), as another program made it: nodes, children first. */
#ifndef DESCRIBED_TYPE_H
#define DESCRIBED_TYPE_H

#include "stowage.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int64_t combiner;
  const int64_t *integers, *addresses, *children;
  size_t integer_count, address_count, child_count;
};

static MPI_Datatype named_type(const struct node *n) {
  static const struct {
    const char *name;
    MPI_Datatype type;
  } *known, table[] = {{"MPI_BYTE", MPI_BYTE},
                       {"MPI_CHAR", MPI_CHAR},
                       {"MPI_SHORT", MPI_SHORT},
                       {"MPI_INT", MPI_INT},
                       {"MPI_LONG", MPI_LONG},
                       {"MPI_FLOAT", MPI_FLOAT},
                       {"MPI_DOUBLE", MPI_DOUBLE},
                       {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX},
                       {"MPI_C_COMPLEX", MPI_C_COMPLEX},
                       {"MPI_C_FLOAT_COMPLEX", MPI_C_COMPLEX},
                       {"MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR}};
  char name[256] = "";
  for (size_t i = 0; i < n->integer_count && i < 255; i++) name[i] = (char)n->integers[i];
  for (known = table; known < table + sizeof table / sizeof *table; known++)
    if (strcmp(name, known->name) == 0) return known->type;
  fprintf(stderr, "described type: expected a name of this table, got %s\n", name);
  exit(2);
}

static int *ints_of(const int64_t *from, size_t count) {
  int *to = malloc((count + 1) * sizeof *to);
  for (size_t i = 0; i < count; i++) to[i] = (int)from[i];
  return to;
}

static MPI_Aint *addresses_of(const int64_t *from, size_t count) {
  MPI_Aint *to = malloc((count + 1) * sizeof *to);
  for (size_t i = 0; i < count; i++) to[i] = (MPI_Aint)from[i];
  return to;
}

static MPI_Datatype made_type(const struct node *n, const MPI_Datatype *made) {
  if (n->combiner == STOWAGE_NAMED) return named_type(n);
  int *i = ints_of(n->integers, n->integer_count);
  MPI_Aint *a = addresses_of(n->addresses, n->address_count);
  MPI_Datatype *types = malloc((n->child_count + 1) * sizeof *types), type = MPI_DATATYPE_NULL;
  for (size_t c = 0; c < n->child_count; c++) types[c] = made[n->children[c]];
  const int count = n->integer_count > 0 ? i[0] : 0;
  switch (n->combiner) {
  case STOWAGE_CONTIGUOUS: MPI_Type_contiguous(count, types[0], &type); break;
  case STOWAGE_VECTOR: MPI_Type_vector(count, i[1], i[2], types[0], &type); break;
  case STOWAGE_HVECTOR: MPI_Type_create_hvector(count, i[1], a[0], types[0], &type); break;
  case STOWAGE_INDEXED: MPI_Type_indexed(count, i + 1, i + 1 + count, types[0], &type); break;
  case STOWAGE_HINDEXED: MPI_Type_create_hindexed(count, i + 1, a, types[0], &type); break;
  case STOWAGE_INDEXED_BLOCK: MPI_Type_create_indexed_block(count, i[1], i + 2, types[0], &type); break;
  case STOWAGE_HINDEXED_BLOCK: MPI_Type_create_hindexed_block(count, i[1], a, types[0], &type); break;
  case STOWAGE_STRUCT: MPI_Type_create_struct(count, i + 1, a, types, &type); break;
  case STOWAGE_SUBARRAY:
    MPI_Type_create_subarray(count, i + 1, i + 1 + count, i + 1 + 2 * count,
                             i[1 + 3 * count] == STOWAGE_ORDER_C ? MPI_ORDER_C : MPI_ORDER_FORTRAN, types[0], &type);
    break;
  case STOWAGE_RESIZED: MPI_Type_create_resized(types[0], a[0], a[1], &type); break;
  case STOWAGE_DUP: MPI_Type_dup(types[0], &type); break;
  default: fprintf(stderr, "described type: expected a constructor of this table, got %d\n", (int)n->combiner); exit(2);
  }
  free(i);
  free(a);
  free(types);
  return type;
}

/* Uncommitted; the types that it is made of stay. */
static MPI_Datatype described_type(const int64_t *words, size_t count) {
  MPI_Datatype *made = malloc((count / 4 + 1) * sizeof *made);
  size_t nodes = 0;
  for (size_t at = 0; at < count; at += 1 + (size_t)words[at]) {
    struct node n = {.combiner = words[at + 1], .integer_count = (size_t)words[at + 4], .integers = words + at + 5};
    const int64_t *next = n.integers + n.integer_count;
    n.address_count = (size_t)next[0];
    n.addresses = next + 1;
    next = n.addresses + n.address_count;
    n.child_count = (size_t)next[0];
    n.children = next + 1;
    made[nodes++] = made_type(&n, made);
  }
  MPI_Datatype type = made[nodes - 1];
  free(made);
  return type;
}

/* A description's words, of so many bytes; the caller frees them. */
static inline int64_t *words_in(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) exit(2);
  *bytes = (size_t)ftell(file);
  int64_t *words = malloc(*bytes);
  rewind(file);
  if (fread(words, 1, *bytes, file) != *bytes) exit(2);
  fclose(file);
  return words;
}

/* Committed, from a file that holds its description. */
static inline MPI_Datatype type_in(const char *path) {
  size_t bytes;
  int64_t *words = words_in(path, &bytes);
  MPI_Datatype type = described_type(words, bytes / sizeof *words);
  free(words);
  MPI_Type_commit(&type);
  return type;
}

/* Of elements from their first byte to their last, and some more: address 0 of the type lies at `origin`. */
struct reach {
  size_t bytes, origin;
};

static inline struct reach reach_of(MPI_Datatype type, int count) {
  MPI_Aint lower, extent, true_lower, true_extent;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  const MPI_Aint last = extent * (count - 1), low = true_lower + (last < 0 ? last : 0);
  const size_t origin = (size_t)(low < 0 ? -low : 0);
  return (struct reach){origin + (size_t)(true_lower + true_extent + (last > 0 ? last : 0)) + 64, origin};
}

#endif
