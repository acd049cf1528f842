#include "types.h"
#include "description.h"
#include "element-size.h"
#include "exported.h"
#include "handle-table.h"
#include "mode.h"
#include "next.h"
#include "predefined.h"
#include "probe.h"
#include "record.h"
#include "store.h"
#include "summary.h"

#include <stdlib.h>

/* What is known of an entry of the store, as long as that lives. */
struct known_type {
  struct stowage_code *entry;
  /* 0: its basic elements have several. */
  size_t element_bytes;
  int is_dense;
};

static struct handle_table handles = HANDLE_TABLE_EMPTY, entries = HANDLE_TABLE_EMPTY;
static struct known_type probe;

/* A pointer in Open MPI, a number in MPICH. */
static uintptr_t number_of(MPI_Datatype type) { return (uintptr_t)type; }

static int lies_as_packed(const struct stowage_move *pack) {
  const struct stowage_bounds *bounds = &pack->source;
  return pack->run == pack->size && bounds->extent == pack->size && bounds->true_lower_bound == 0;
}

int types_find(MPI_Datatype type, struct type_code *code) {
  const struct known_type *known = handle_find(&handles, number_of(type));
  if (known == NULL) return 0;
  if (UNLIKELY(known == &probe)) {
    *code = (struct type_code){NULL, PROBE_KERNEL, PROBE_SIZE, 1, 0, 0};
    return 1;
  }
  code->entry = known->entry;
  code->is_dense = known->is_dense;
  code->kernel = code_kernel(known->entry);
  if (code->kernel == NULL) return 0;
  const struct stowage_move *pack = stowage_move_at(code->kernel, STORE_PACK);
  code->size_bytes = (size_t)pack->size;
  code->run_bytes = pack->run;
  code->is_dense = known->is_dense || lies_as_packed(pack);
  code->period_bytes = known->element_bytes != 0 ? known->element_bytes : code->size_bytes;
  return 1;
}

unsigned types_changes(void) { return __atomic_load_n(&handles.sequence, __ATOMIC_RELAXED); }

/* Predefined handles, which stay, by the sizes of their elements. */
static struct handle_table named = HANDLE_TABLE_EMPTY;

static int is_named(MPI_Datatype type) {
  int integers, addresses, types, combiner = 0;
  return type != PREDEFINED_NO_TYPE &&
         NEXT(PMPI_Type_get_envelope)(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
         combiner == MPI_COMBINER_NAMED;
}

size_t types_dense_bytes(MPI_Datatype type) {
  const struct known_type *known = handle_find(&handles, number_of(type));
  const size_t found = known == NULL ? (size_t)handle_find(&named, number_of(type)) : 0;
  MPI_Count size = 0, lower, extent = 0;
  if (found != 0) return found;
  if (known != NULL ? !known->is_dense : !is_named(type)) return 0;
  NEXT(PMPI_Type_size_x)(type, &size);
  NEXT(PMPI_Type_get_extent_x)(type, &lower, &extent);
  if (size <= 0 || size != extent) return 0;
  if (known == NULL) handle_put(&named, number_of(type), (void *)(uintptr_t)size);
  return (size_t)size;
}

int types_are_movable(MPI_Datatype type, struct type_code *code) {
  *code = (struct type_code){0};
  if (types_find(type, code)) return 1;
  const size_t size = types_dense_bytes(type);
  if (size > 0) *code = (struct type_code){.size_bytes = size, .is_dense = 1};
  return size > 0;
}

/* Entries live until the process ends, and so does this. Two threads may make one at once: either is right. */
static struct known_type *known_of(struct stowage_code *entry, const void *description, size_t length) {
  struct known_type *known = handle_find(&entries, (uintptr_t)entry);
  if (known != NULL || (known = malloc(sizeof *known)) == NULL) return known;
  *known = (struct known_type){entry, element_size(description, length), is_dense(description, length)};
  if (handle_put(&entries, (uintptr_t)entry, known)) return known;
  free(known);
  return NULL;
}

static int unseen;
int types_unseen(void) { return __atomic_load_n(&unseen, __ATOMIC_RELAXED); }

/* Where no message can be ours, whether there could be any. */
static void look_for_gaps(MPI_Datatype type) {
  MPI_Count size = 0, lower, extent = 0;
  if (mode_refusal(STOWAGE_PACK) == NULL || types_unseen() || !summary_wanted()) return;
  NEXT(PMPI_Type_size_x)(type, &size);
  NEXT(PMPI_Type_get_true_extent_x)(type, &lower, &extent);
  if (size != extent) __atomic_store_n(&unseen, 1, __ATOMIC_RELAXED);
}

void types_committed(MPI_Datatype type, int is_for_devices) {
  look_for_gaps(type);
  stowage_describer *describer = description_of(type);
  if (describer == NULL) return;
  size_t length;
  const void *description = stowage_described(describer, &length);
  struct stowage_code *entry = store_entry(description, length);
  struct known_type *known = entry == NULL ? NULL : known_of(entry, description, length);
  if (is_for_devices) store_device_entry(description, length);
  stowage_describer_free(describer);
  if (known == NULL || !handle_put(&handles, number_of(type), known)) return;
  record_commit(entry);
}

void types_duplicated(MPI_Datatype from, MPI_Datatype to) {
  struct known_type *known = handle_find(&handles, number_of(from));
  if (known != NULL) handle_put(&handles, number_of(to), known);
}

void types_held(MPI_Datatype type) { handle_hold(&handles, number_of(type)); }
void types_freed(MPI_Datatype type) { handle_drop(&handles, number_of(type)); }

int types_keep(MPI_Datatype type, MPI_Datatype *own) {
  if (NEXT(PMPI_Type_dup)(type, own) != MPI_SUCCESS) return 0;
  types_duplicated(type, *own);
  return 1;
}

void types_drop(MPI_Datatype *own) {
  types_freed(*own);
  NEXT(PMPI_Type_free)(own);
}

void types_probe(MPI_Datatype type) { handle_put(&handles, number_of(type), &probe); }
