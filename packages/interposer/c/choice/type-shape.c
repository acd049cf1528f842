#include "type-shape.h"

#include "store.h"

struct type_shape type_shape_of(const struct type_code *code) {
  const struct stowage_move *pack = stowage_move_at(code->kernel, STORE_PACK);
  return (struct type_shape){code->size_bytes, code->run_bytes, (size_t)pack->source.true_extent};
}
