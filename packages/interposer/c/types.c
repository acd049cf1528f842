#include "types.h"
#include "description.h"
#include "exported.h"
#include "handle-table.h"
#include "probe.h"
#include "record.h"
#include "store.h"

static struct handle_table table = HANDLE_TABLE_EMPTY;
static char probe_entry;
#define PROBE ((struct stowage_code *)(void *)&probe_entry)

/* A pointer in Open MPI, a number in MPICH. */
static uintptr_t number_of(MPI_Datatype type) { return (uintptr_t)type; }

int types_find(MPI_Datatype type, struct type_code *code) {
  code->entry = handle_find(&table, number_of(type));
  if (code->entry == NULL) return 0;
  if (UNLIKELY(code->entry == PROBE)) {
    code->kernel = NULL;
    code->size_bytes = PROBE_SIZE;
    return 1;
  }
  code->kernel = store_kernel(code->entry);
  if (code->kernel == NULL) return 0;
  code->size_bytes = (size_t)stowage_move(code->kernel, STORE_PACK)->size;
  return 1;
}

void types_committed(MPI_Datatype type) {
  stowage_describer *describer = description_of(type);
  if (describer == NULL) return;
  size_t length;
  const void *description = stowage_described(describer, &length);
  struct stowage_code *entry = store_entry(description, length);
  stowage_describer_free(describer);
  if (entry == NULL || !handle_put(&table, number_of(type), entry)) return;
  record_commit(entry);
}

void types_duplicated(MPI_Datatype from, MPI_Datatype to) {
  struct stowage_code *entry = handle_find(&table, number_of(from));
  if (entry != NULL) handle_put(&table, number_of(to), entry);
}

void types_held(MPI_Datatype type) { handle_hold(&table, number_of(type)); }
void types_freed(MPI_Datatype type) { handle_drop(&table, number_of(type)); }
void types_probe(MPI_Datatype type) { handle_put(&table, number_of(type), PROBE); }
