#include "staged-shape.h"

#include "store.h"

struct staged_shape staged_shape_of(const struct type_code *code) {
  const struct stowage_move *pack = stowage_move_at(code->kernel, STORE_PACK);
  return (struct staged_shape){code->size_bytes, code->run_bytes, (size_t)pack->source.true_extent};
}
