/* A type's loops as text. */
#include "repeat.h"
#include "type.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* What was written, and what would be. */
struct writer {
  char *text;
  size_t room, length;
};

/* Levels and members beyond these are not shown. */
enum { MOST_LEVELS = 24, MOST_MEMBERS = 8 };

__attribute__((format(printf, 2, 3))) static void put(struct writer *writer, const char *format, ...) {
  va_list values;
  const size_t left = writer->length < writer->room ? writer->room - writer->length : 0;
  va_start(values, format);
  const int length = vsnprintf(left > 0 ? writer->text + writer->length : NULL, left, format, values);
  va_end(values);
  if (length > 0) writer->length += (size_t)length;
}

static void put_node(struct writer *writer, const struct node *node, int64_t offset, int level) {
  if (level > MOST_LEVELS) return;
  put(writer, "%*sat %" PRId64 ": ", 2 * level, "", offset);
  switch (node->kind) {
  case NODE_RUN: put(writer, "%" PRId64 " bytes, by %s\n", node->size, loop_name(node)); return;
  case NODE_STREAM:
    put(writer, "%" PRId64 " times, %" PRId64 " bytes apart, by %s\n", node->count, node->stride, loop_name(node));
    put_node(writer, node->child, 0, level + 1);
    return;
  case NODE_LIST:
    put(writer, "%" PRId64 " times, at places of a table, by %s\n", node->count, loop_name(node));
    put_node(writer, node->child, 0, level + 1);
    return;
  case NODE_RUNS: put(writer, "%" PRId64 " runs of a table, %" PRId64 " bytes\n", node->count, node->size); return;
  case NODE_BLOCKS:
    put(writer, "%" PRId64 " blocks of a table, of copies %" PRId64 " bytes apart\n", node->count, node->stride);
    put_node(writer, node->child, 0, level + 1);
    return;
  case NODE_SEQUENCE:
    put(writer, "%" PRId64 " members\n", node->count);
    for (int64_t i = 0; i < node->count && i < MOST_MEMBERS; i++)
      put_node(writer, node->members[i], node->offsets[i], level + 1);
    if (node->count > MOST_MEMBERS) put(writer, "%*s...\n", 2 * level + 2, "");
  }
}

size_t stowage_explain(const stowage_type *type, char *text, size_t room) {
  struct writer writer = {text, room, 0};
  put(&writer, "%" PRId64 " bytes an element, %" PRId64 " bytes apart\n", type->size, type->bounds.extent);
  if (stowage_has_code(type)) put(&writer, "by machine code, in place of these loops:\n");
  if (type->piece.node != NULL) put_node(&writer, type->piece.node, type->piece.offset, 0);
  return writer.length;
}
