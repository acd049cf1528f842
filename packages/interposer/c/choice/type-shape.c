#include "type-shape.h"

#include "store.h"

/* A processor fetches lines in pairs. */
enum { LINE = 64, MOST_LINES = 2 };

static const struct stowage_bounds *source_of(const struct type_code *code) {
  return &stowage_move_at(code->kernel, STORE_PACK)->source;
}

struct type_shape type_shape_of(const struct type_code *code) {
  const struct stowage_bounds *source = source_of(code);
  return (struct type_shape){code->size_bytes, code->run_bytes, (size_t)source->true_extent, (ptrdiff_t)source->extent};
}

int shape_is_of_columns(const struct type_shape *shape) {
  return shape->extent_bytes > 0 && shape->extent_bytes <= LINE / 2 && shape->span_bytes > LINE;
}

size_t side_by_side_bytes(const struct type_code *code, size_t count) {
  const struct type_shape shape = type_shape_of(code);
  if (!shape_is_of_columns(&shape)) return 1;
  for (int lines = MOST_LINES; lines > 0; lines--) {
    const size_t beside = (size_t)(lines * LINE / shape.extent_bytes);
    if (beside <= count) return code->size_bytes * beside;
  }
  return 1;
}
