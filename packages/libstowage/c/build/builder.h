/* What a builder knows of its nodes, for commit. */
#ifndef STOWAGE_BUILDER_H
#define STOWAGE_BUILDER_H

#include "stowage_types.h"

/* Describes a node with all that it is made of, as a walk over a handle of MPI does: equal types give equal bytes. */
enum stowage_status describe_node_of(const stowage_builder *builder, stowage_node node, stowage_describer *describer);

#endif
