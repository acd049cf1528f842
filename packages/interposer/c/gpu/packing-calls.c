#include "packing-calls.h"

#include "by-host.h"
#include "failure.h"
#include "next.h"
#include "predefined.h"

#include <string.h>

/* Between a buffer and staging memory, by the MPI where the buffer is the host's. */
static int move(const struct gpu_pack_call *call, const struct gpu_buffer *b, const struct gpu_staging *staging,
                size_t bytes) {
  const struct gpu_move move = b == NULL ? (struct gpu_move){0} : by_host_move(b, staging, 0);
  int position = 0;
  if (b != NULL) return moves_run(call->direction, &move, 1);
  if (call->direction == STOWAGE_PACK)
    return NEXT(PMPI_Pack)(call->user, call->count, call->type, staging->memory, (int)bytes, &position,
                           call->communicator);
  return NEXT(PMPI_Unpack)(staging->memory, (int)bytes, &position, call->user, call->count, call->type,
                           call->communicator);
}

/* Between staging memory and the packed side: bytes, which the driver copies where they lie on a device. */
static int move_packed(const struct gpu_pack_call *call, const struct gpu_buffer *far, unsigned char *packed,
                       const struct gpu_staging *staging, size_t bytes) {
  if (far == NULL) {
    if (call->direction == STOWAGE_PACK) memcpy(packed, staging->memory, bytes);
    else memcpy(staging->memory, packed, bytes);
    return MPI_SUCCESS;
  }
  const struct gpu_move move = by_host_move(far, staging, 0);
  return moves_run(call->direction == STOWAGE_PACK ? STOWAGE_UNPACK : STOWAGE_PACK, &move, 1);
}

static int is_allowed(const struct gpu_pack_call *call, size_t bytes) {
  return *call->position >= 0 && *call->position <= call->room && bytes <= (size_t)(call->room - *call->position);
}

int gpu_packs(const struct gpu_pack_call *call, int *status) {
  struct gpu_buffer own, bytes;
  struct gpu_staging *staging;
  MPI_Count size = 0;
  if (call->position == NULL || call->communicator == PREDEFINED_NULL || call->count <= 0) return 0;
  const struct gpu_buffer *b = buffer_lies(call->user, call->count, call->type, &own) ? &own : NULL;
  if (b == NULL && !driver_holds(call->packed, &bytes.place)) return 0;
  if (b != NULL) size = (MPI_Count)b->bytes;
  else if (NEXT(PMPI_Type_size_x)(call->type, &size) != MPI_SUCCESS) return 0;
  else size *= call->count;
  if (size <= 0 || !is_allowed(call, (size_t)size)) return 0;
  unsigned char *packed = (unsigned char *)call->packed + *call->position;
  const struct gpu_buffer *far = buffer_lies(packed, size, PREDEFINED_BYTE, &bytes) ? &bytes : NULL;
  const int packs = call->direction == STOWAGE_PACK;
  int class = staging_take_at(far != NULL ? &far->place : &own.place, (size_t)size, &staging);
  if (class == MPI_SUCCESS)
    class = packs ? move(call, b, staging, (size_t)size) : move_packed(call, far, packed, staging, (size_t)size);
  if (class == MPI_SUCCESS)
    class = packs ? move_packed(call, far, packed, staging, (size_t)size) : move(call, b, staging, (size_t)size);
  staging_give(staging);
  if (class == MPI_SUCCESS) *call->position += (int)size;
  *status = class == MPI_SUCCESS ? class : gpu_raise(call->communicator, class);
  return 1;
}
