#include "access.h"

#include "below.h"
#include "counts.h"
#include "handle-table.h"
#include "packing-memory.h"
#include "message.h"
#include "packed-type.h"
#include "predefined.h"
#include "representation.h"

#include <stdlib.h>

/* From so many bytes on in a run, in the mean, the MPI's own accesses are as fast: what is read is packed before it is
 * unpacked (docs/notes/2026-11-28-one-sided.md, "Long runs of files"). */
static size_t long_run_of(enum stowage_direction direction) {
  const int is_written = direction == STOWAGE_PACK;
  if (mpi_below() == FAMILY_OPEN_MPI) return is_written ? 1024 : 512;
  return is_written ? SIZE_MAX : 128;
}

static int is_left(const struct access *a) { return a->elements.code.run_bytes >= long_run_of(a->direction); }

static int is_ours(struct access *a, MPI_File file) {
  if (!elements_are_ours(&a->elements) || a->elements.code.is_dense) return 0;
  if (is_left(a)) return count_left(a->direction), 0;
  return representation_is_native(file) && packed_type(a->elements.code.size_bytes, &a->type) &&
         (a->packed = packing_memory_take(&packing_of_accesses, a->elements.bytes)) != NULL;
}

/* Before a read our memory has what the elements have: an MPI may count bytes that the file did not have. */
int access_begin(struct access *a, MPI_File file, enum stowage_direction direction, const void *user, MPI_Count count,
                 MPI_Datatype type) {
  *a = (struct access){
      .elements = {.user = (void *)(uintptr_t)user, .count = count, .type = type, .communicator = PREDEFINED_SELF},
      .direction = direction};
  if (!is_ours(a, file)) return elements_stay_native(&a->elements, direction), 0;
  if (direction == STOWAGE_PACK) elements_pack(&a->elements, a->packed);
  else elements_copy(&a->elements, a->packed);
  return 1;
}

void access_unpack(const struct access *a, size_t bytes) {
  const size_t all = a->elements.bytes;
  if (a->direction == STOWAGE_UNPACK && bytes > 0) elements_unpack(&a->elements, a->packed, bytes < all ? bytes : all);
}

void access_free(const struct access *a) { packing_memory_give(&packing_of_accesses, a->packed, a->elements.bytes); }

int access_over(const struct access *a, int status, const MPI_Status *told) {
  if (status == MPI_SUCCESS) access_unpack(a, bytes_told(told));
  access_free(a);
  return status;
}

static struct handle_table kept = HANDLE_TABLE_EMPTY;

int access_keep(const struct access *a, MPI_File file) {
  struct access *own = malloc(sizeof *own);
  if (own == NULL) return 0;
  *own = *a;
  if (handle_put(&kept, (uintptr_t)file, own)) return 1;
  free(own);
  return 0;
}

int access_kept(struct access *a, MPI_File file) {
  struct access *own = handle_drop(&kept, (uintptr_t)file);
  if (own == NULL) return 0;
  *a = *own;
  free(own);
  return 1;
}
