#include "packing-calls.h"

#include "staged.h"
#include "raise.h"
#include "next.h"
#include "predefined.h"

#include <string.h>

int packing_has_room(const struct packing_call *call, size_t bytes) {
  return call->position >= 0 && call->position <= call->room && bytes <= (size_t)(call->room - call->position);
}

struct elements packing_elements(const struct packing_call *call) {
  return (struct elements){
      .user = call->user, .count = call->count, .type = call->type, .communicator = call->communicator};
}

/* Between a buffer of a device and staging memory. */
static int move(enum stowage_direction direction, const struct gpu_buffer *b, const struct gpu_staging *staging) {
  const struct gpu_move move = staged_move_by_table(b, staging, 0);
  return moves_run(direction, &move, 1);
}

/* Between the program's elements and staging memory: NULL: they are the host's. */
static int move_elements(const struct packing_call *call, const struct gpu_buffer *b, const struct gpu_staging *staging,
                         size_t bytes) {
  const struct elements elements = packing_elements(call);
  return b != NULL ? move(call->direction, b, staging)
                   : elements_natively(&elements, call->direction, staging->memory, bytes);
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
  *status = class == MPI_SUCCESS ? class : mpi_raise(call->communicator, class);
  return 1;
}
