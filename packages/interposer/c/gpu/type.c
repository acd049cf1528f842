#include "type.h"

#include "description.h"
#include "entry.h"
#include "next.h"
#include "packed-type.h"
#include "predefined.h"
#include "store.h"
#include "types.h"

#include <stdlib.h>
#include <string.h>

static int is_named(MPI_Datatype type) {
  int integers, addresses, types, combiner = 0;
  return NEXT(PMPI_Type_get_envelope)(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
         combiner == MPI_COMBINER_NAMED;
}

static int ask(MPI_Datatype type, struct gpu_type *facts) {
  MPI_Count size;
  MPI_Aint lower, true_lower, true_extent;
  memset(facts, 0, sizeof *facts);
  if (NEXT(PMPI_Type_size_x)(type, &size) != MPI_SUCCESS || size < 0) return 0;
  if (NEXT(PMPI_Type_get_extent)(type, &lower, &facts->extent) != MPI_SUCCESS) return 0;
  if (NEXT(PMPI_Type_get_true_extent)(type, &true_lower, &true_extent) != MPI_SUCCESS) return 0;
  facts->size = (size_t)size;
  facts->true_lower = true_lower;
  facts->true_extent = true_extent;
  facts->is_dense = is_named(type) && (MPI_Aint)size == facts->extent;
  return packed_type(facts->size, &facts->packed);
}

/* Two threads may make one at once: either is right, and neither is freed. */
static struct gpu_type *made(MPI_Datatype type, struct stowage_code *entry) {
  struct gpu_type *facts = malloc(sizeof *facts);
  size_t length;
  const void *description = code_description(entry, &length);
  if (facts == NULL || !ask(type, facts)) {
    free(facts);
    return NULL;
  }
  facts->entry = entry;
  facts->code = store_device_entry(description, length);
  atomic_store_explicit(&own_of(entry)->device, facts, memory_order_release);
  return facts;
}

int gpu_type_known(MPI_Datatype type, struct gpu_type *facts) {
  struct type_code code = {0};
  types_find(type, &code);
  if (code.entry == NULL) return 0;
  struct gpu_type *known = atomic_load_explicit(&own_of(code.entry)->device, memory_order_acquire);
  if (known == NULL && (known = made(type, code.entry)) == NULL) return 0;
  *facts = *known;
  return 1;
}

/* Predefined types with gaps, such as MPI_DOUBLE_INT, are never committed. */
static struct stowage_code *code_of(MPI_Datatype type) {
  stowage_describer *describer = description_of(type);
  size_t length;
  if (describer == NULL) return NULL;
  const void *description = stowage_described(describer, &length);
  struct stowage_code *code = store_device_entry(description, length);
  stowage_describer_free(describer);
  return code;
}

int gpu_type_of(MPI_Datatype type, struct gpu_type *facts) {
  if (gpu_type_known(type, facts)) return 1;
  if (type == PREDEFINED_NO_TYPE || !ask(type, facts)) return 0;
  if (!facts->is_dense) facts->code = code_of(type);
  return 1;
}

const stowage_kernel *gpu_type_kernel(const struct gpu_type *type) {
  return type->code == NULL ? NULL : code_kernel(type->code);
}
