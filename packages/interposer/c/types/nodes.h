/* A type's description (stowage.h), read: its constructors, children first, the type itself last. */
#ifndef STOWAGE_NODES_H
#define STOWAGE_NODES_H

#include <stddef.h>
#include <stdint.h>

struct nodes {
  const unsigned char *bytes;
  size_t *starts, count;
  /* Packed bytes of each; 0: not known, or none. */
  uint64_t *sizes;
};

/* 0: there is no memory, or no node. The description stays as long as they do. */
int nodes_read(struct nodes *all, const void *description, size_t length);
void nodes_free(struct nodes *all);

/* enum stowage_combiner. */
uint64_t node_combiner(const struct nodes *all, size_t node);
int64_t node_lower_bound(const struct nodes *all, size_t node);
int64_t node_extent(const struct nodes *all, size_t node);
/* What its constructor was called with, in MPI_Type_get_contents' order; 0 behind the last. */
int64_t node_integer(const struct nodes *all, size_t node, size_t which);
int64_t node_address(const struct nodes *all, size_t node, size_t which);
size_t node_child(const struct nodes *all, size_t node, size_t which);
/* Whether a predefined type has a name. */
int node_is_named(const struct nodes *all, size_t node, const char *name);

#endif
