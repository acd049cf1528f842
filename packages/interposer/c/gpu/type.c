#include "type.h"

#include "description.h"
#include "entry.h"
#include "handle-table.h"
#include "next.h"
#include "predefined.h"
#include "store.h"
#include "types.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* By size: made once, never freed, for messages may be under way. */
static struct handle_table packed_types = HANDLE_TABLE_EMPTY;

static int commit(int status, MPI_Datatype *type) {
  return status == MPI_SUCCESS && NEXT(PMPI_Type_commit)(type) == MPI_SUCCESS;
}

enum { LARGE = 1 << 30 };

/* MPI 3 counts in int: a large type is made of large pieces. */
static int make_large(size_t size, MPI_Datatype *type) {
  MPI_Datatype piece, pieces[2];
  const size_t whole = size / LARGE;
  int lengths[2] = {1, (int)(size % LARGE)};
  MPI_Aint places[2] = {0, (MPI_Aint)(whole * LARGE)};
  if (whole > INT_MAX) return 0;
  pieces[1] = PREDEFINED_BYTE;
  if (NEXT(PMPI_Type_contiguous)(LARGE, PREDEFINED_BYTE, &piece) != MPI_SUCCESS) return 0;
  if (NEXT(PMPI_Type_contiguous)((int)whole, piece, &pieces[0]) != MPI_SUCCESS) return 0;
  return commit(NEXT(PMPI_Type_create_struct)(2, lengths, places, pieces, type), type);
}

static int packed_of(size_t size, MPI_Datatype *type) {
  MPI_Datatype *known = handle_find(&packed_types, size + 1);
  if (known == NULL) {
    if ((known = malloc(sizeof *known)) == NULL) return 0;
    const int made = size <= INT_MAX ? commit(NEXT(PMPI_Type_contiguous)((int)size, PREDEFINED_BYTE, known), known)
                                     : make_large(size, known);
    if (!made || !handle_put(&packed_types, size + 1, known)) {
      free(known);
      return 0;
    }
  }
  *type = *known;
  return 1;
}

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
  return packed_of(facts->size, &facts->packed);
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

int gpu_type_keep(MPI_Datatype type, MPI_Datatype *own) {
  if (NEXT(PMPI_Type_dup)(type, own) != MPI_SUCCESS) return 0;
  types_duplicated(type, *own);
  return 1;
}

void gpu_type_drop(MPI_Datatype *own) {
  types_freed(*own);
  NEXT(PMPI_Type_free)(own);
}
