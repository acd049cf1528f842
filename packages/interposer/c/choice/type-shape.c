#include "type-shape.h"

#include "store.h"

struct type_shape type_shape_of(const struct type_code *code) {
  const struct stowage_move *pack = stowage_move_at(code->kernel, STORE_PACK);
  return (struct type_shape){code->size_bytes, code->run_bytes, (size_t)pack->source.true_extent};
}

/* A processor fetches lines in pairs. */
enum { LINE = 64, MOST_LINES = 2 };

size_t side_by_side_bytes(const struct type_code *code, size_t count) {
  const struct stowage_bounds *source = &stowage_move_at(code->kernel, STORE_PACK)->source;
  if (source->extent <= 0 || source->extent > LINE / 2 || source->true_extent <= LINE) return 1;
  for (int lines = MOST_LINES; lines > 0; lines--) {
    const size_t beside = (size_t)(lines * LINE / source->extent);
    if (beside <= count) return code->size_bytes * beside;
  }
  return 1;
}
