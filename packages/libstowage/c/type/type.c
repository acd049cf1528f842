#include "type.h"

#include "builder.h"
#include "context.h"
#include "lower.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_OF(value) #value
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *stowage_version(void) {
  return VERSION_TEXT(STOWAGE_VERSION_MAJOR, STOWAGE_VERSION_MINOR, STOWAGE_VERSION_PATCH);
}

/* Lowers what the type has copied. */
static enum stowage_status make_ready(stowage_type *type) {
  struct lowered lowered;
  const enum stowage_status status = lower(&type->arena, type->words, type->description_length / 8, &lowered);
  if (status != STOWAGE_OK) return status;
  type->piece = lowered.piece;
  type->bounds.lower_bound = lowered.lower_bound;
  type->bounds.extent = lowered.extent;
  const struct node *node = type->piece.node;
  if (node == NULL) return STOWAGE_OK;
  type->size = node->size;
  if (__builtin_add_overflow(type->piece.offset, node->low, &type->bounds.true_lower_bound) ||
      __builtin_sub_overflow(node->high, node->low, &type->bounds.true_extent))
    return STOWAGE_OVERFLOW;
  return STOWAGE_OK;
}

/* A type of its own; the description is copied. */
static enum stowage_status make(const void *description, size_t length, stowage_type **made) {
  stowage_type *type = calloc(1, sizeof *type);
  if (type == NULL || (type->words = malloc(length)) == NULL) {
    free(type);
    return STOWAGE_NO_MEMORY;
  }
  memcpy(type->words, description, length);
  type->description_length = length;
  const enum stowage_status status = make_ready(type);
  if (status == STOWAGE_OK) *made = type;
  else type_discard(type);
  return status;
}

enum stowage_status stowage_commit_description(stowage_context *context, const void *description, size_t length,
                                               stowage_type **made) {
  *made = NULL;
  if (length == 0 || length % 8 != 0) return STOWAGE_DESCRIPTION;
  struct stowage_code *code = context_code(context, description, length);
  if (code != NULL && (*made = context_type(context, code)) != NULL) return STOWAGE_OK;
  stowage_type *type;
  const enum stowage_status status = make(description, length, &type);
  if (status != STOWAGE_OK) return status;
  type->context = context;
  type->code = code;
  if (code != NULL) {
    *made = context_keep(context, code, type);
    return STOWAGE_OK;
  }
  type->users = 1;
  context_hold(context);
  *made = type;
  return STOWAGE_OK;
}

enum stowage_status stowage_commit(stowage_context *context, const stowage_builder *builder, stowage_node node,
                                   stowage_type **type) {
  *type = NULL;
  stowage_describer *describer = stowage_describe();
  if (describer == NULL) return STOWAGE_NO_MEMORY;
  enum stowage_status status = describe_node_of(builder, node, describer);
  if (status == STOWAGE_OK) {
    size_t length;
    const void *description = stowage_described(describer, &length);
    status = stowage_commit_description(context, description, length, type);
  }
  stowage_describer_free(describer);
  return status;
}

void type_discard(stowage_type *type) {
  arena_free(&type->arena);
  free(type->words);
  free(type);
}

/* One that a context has made of an entry stays there, for the next commit of an equal type. */
void stowage_type_free(stowage_type *type) {
  if (type == NULL || atomic_fetch_sub(&type->users, 1) > 1) return;
  stowage_context *context = type->context;
  if (type->code == NULL) type_discard(type);
  context_release(context);
}

int64_t stowage_type_size(const stowage_type *type) { return type->size; }
struct stowage_bounds stowage_type_bounds(const stowage_type *type) { return type->bounds; }

const void *stowage_type_description(const stowage_type *type, size_t *length) {
  *length = type->description_length;
  return type->words;
}
