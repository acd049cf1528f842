#include "packing-calls.h"

#include "buffer.h"
#include "next.h"
#include "predefined.h"

#include <string.h>

/* The packed side lies on the host: our staging memory beside it. */
static int through_host(const struct device_pack_call *call, struct device_buffer *b, unsigned char *packed) {
  int class = device_stage(b);
  if (class == MPI_SUCCESS && call->direction == STOWAGE_PACK) {
    class = device_pack(&b, 1);
    if (class == MPI_SUCCESS) memcpy(packed, b->packed, b->bytes);
  } else if (class == MPI_SUCCESS) {
    memcpy(b->packed, packed, b->bytes);
    class = device_unpack(&b, &b->bytes, 1);
  }
  device_release(b);
  return class;
}

/* The packed side alone, or both lie on devices: bytes of predefined type on that side, which the driver copies. */
static int through_device(const struct device_pack_call *call, struct device_buffer *b, struct device_buffer *bytes, int is_device) {
  int position = 0, class = device_stage(bytes);
  if (is_device && class == MPI_SUCCESS) {
    b->staging = bytes->staging;
    b->packed = bytes->packed;
  }
  if (class == MPI_SUCCESS && call->direction == STOWAGE_PACK) {
    if (is_device) class = device_pack(&b, 1);
    else class = NEXT(PMPI_Pack)(call->user, call->count, call->type, bytes->packed, (int)bytes->bytes, &position, call->communicator);
    if (class == MPI_SUCCESS) class = device_unpack(&bytes, &bytes->bytes, 1);
  } else if (class == MPI_SUCCESS) {
    class = device_pack(&bytes, 1);
    if (class == MPI_SUCCESS && is_device) class = device_unpack(&b, &b->bytes, 1);
    else if (class == MPI_SUCCESS)
      class = NEXT(PMPI_Unpack)(bytes->packed, (int)bytes->bytes, &position, call->user, call->count, call->type, call->communicator);
  }
  device_release(bytes);
  return class;
}

static int is_allowed(const struct device_pack_call *call, size_t bytes) {
  return *call->position >= 0 && *call->position <= call->room && bytes <= (size_t)(call->room - *call->position);
}

int device_packs(const struct device_pack_call *call, int *status) {
  struct device_buffer b = {0}, bytes = {0};
  MPI_Count size = 0;
  if (call->position == NULL || call->communicator == PREDEFINED_NULL || call->count <= 0) return 0;
  const int is_device = device_lies(call->user, call->count, call->type, &b);
  if (is_device) size = (MPI_Count)b.bytes;
  else if (!device_holds(call->packed, &bytes.place) || NEXT(PMPI_Type_size_x)(call->type, &size) != MPI_SUCCESS) return 0;
  else size *= call->count;
  if (size <= 0 || !is_allowed(call, (size_t)size)) return 0;
  unsigned char *packed = (unsigned char *)call->packed + *call->position;
  const int class = device_lies(packed, size, PREDEFINED_BYTE, &bytes) ? through_device(call, &b, &bytes, is_device)
                                                                        : through_host(call, &b, packed);
  if (class == MPI_SUCCESS) *call->position += (int)size;
  *status = class == MPI_SUCCESS ? class : device_raise(call->communicator, class);
  return 1;
}
