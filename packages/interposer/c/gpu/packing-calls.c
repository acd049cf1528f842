#include "packing-calls.h"

#include "staged.h"
#include "failure.h"
#include "next.h"
#include "predefined.h"

#include <limits.h>
#include <string.h>

int packing_has_room(const struct packing_call *call, size_t bytes) {
  return call->position >= 0 && call->position <= call->room && bytes <= (size_t)(call->room - call->position);
}

#if MPI_VERSION >= 4
static int natively_large(const struct packing_call *call, void *packed, MPI_Count bytes) {
  MPI_Count position = 0;
  if (call->direction == STOWAGE_PACK)
    return NEXT(PMPI_Pack_c)(call->user, call->count, call->type, packed, bytes, &position, call->communicator);
  return NEXT(PMPI_Unpack_c)(packed, bytes, &position, call->user, call->count, call->type, call->communicator);
}
#else
static int natively_large(const struct packing_call *call, void *packed, MPI_Count bytes) {
  return (void)call, (void)packed, (void)bytes, MPI_ERR_COUNT;
}
#endif

int packing_natively(const struct packing_call *call, void *packed, size_t bytes) {
  const int count = (int)call->count;
  int position = 0;
  if (bytes > INT_MAX || count != call->count) return natively_large(call, packed, (MPI_Count)bytes);
  if (call->direction == STOWAGE_PACK)
    return NEXT(PMPI_Pack)(call->user, count, call->type, packed, (int)bytes, &position, call->communicator);
  return NEXT(PMPI_Unpack)(packed, (int)bytes, &position, call->user, count, call->type, call->communicator);
}

/* Between a buffer of a device and staging memory. */
static int move(enum stowage_direction direction, const struct gpu_buffer *b, const struct gpu_staging *staging) {
  const struct gpu_move move = staged_move_by_table(b, staging, 0);
  return moves_run(direction, &move, 1);
}

/* Between the program's elements and staging memory: NULL: they are the host's. */
static int move_elements(const struct packing_call *call, const struct gpu_buffer *b, const struct gpu_staging *staging,
                         size_t bytes) {
  return b != NULL ? move(call->direction, b, staging) : packing_natively(call, staging->memory, bytes);
}

/* Between staging memory and the packed side: bytes, which the driver copies where they lie on a device. */
static int move_packed(const struct packing_call *call, const struct gpu_buffer *far, unsigned char *packed,
                       const struct gpu_staging *staging, size_t bytes) {
  const int packs = call->direction == STOWAGE_PACK;
  if (far != NULL) return move(packs ? STOWAGE_UNPACK : STOWAGE_PACK, far, staging);
  if (packs) memcpy(packed, staging->memory, bytes);
  else memcpy(staging->memory, packed, bytes);
  return MPI_SUCCESS;
}

int packing_on_device(struct packing_call *call, int *status) {
  struct gpu_buffer own, bytes;
  struct gpu_staging *staging;
  MPI_Count size = 0;
  if (call->position < 0 || call->communicator == PREDEFINED_NULL || call->count <= 0) return 0;
  const struct gpu_buffer *b = buffer_lies(call->user, call->count, call->type, &own) ? &own : NULL;
  if (b == NULL && !driver_holds(call->packed, &bytes.place)) return 0;
  if (b != NULL) size = (MPI_Count)b->bytes;
  else if (NEXT(PMPI_Type_size_x)(call->type, &size) != MPI_SUCCESS) return 0;
  else size *= call->count;
  if (size <= 0 || !packing_has_room(call, (size_t)size)) return 0;
  unsigned char *packed = call->packed + call->position;
  const struct gpu_buffer *far = buffer_lies(packed, size, PREDEFINED_BYTE, &bytes) ? &bytes : NULL;
  const int packs = call->direction == STOWAGE_PACK;
  int class = staging_take_at(far != NULL ? &far->place : &own.place, (size_t)size, &staging);
  if (class == MPI_SUCCESS)
    class =
        packs ? move_elements(call, b, staging, (size_t)size) : move_packed(call, far, packed, staging, (size_t)size);
  if (class == MPI_SUCCESS)
    class =
        packs ? move_packed(call, far, packed, staging, (size_t)size) : move_elements(call, b, staging, (size_t)size);
  staging_give(staging);
  if (class == MPI_SUCCESS) call->position += size;
  *status = class == MPI_SUCCESS ? class : gpu_raise(call->communicator, class);
  return 1;
}
