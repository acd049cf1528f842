/* MPI_Pack and MPI_Unpack where they do not go through what is hooked deeper inside. */
#include <mpi.h>

#include "counts.h"
#include "packing-calls.h"
#include "hook.h"
#include "mode.h"
#include "move-range.h"
#include "predefined.h"
#include "record.h"
#include "types.h"
#include "verify.h"

#include <stdlib.h>

/* A call that the MPI would carry out without an error, of a datatype whose code we hold. */
struct pack_call {
  struct type_code code;
  void *user;
  unsigned char *packed;
  size_t count, size_bytes;
  MPI_Datatype type;
  MPI_Comm communicator;
};

static int is_ours(struct pack_call *call, int count, int room, const int *position) {
  if (!mode_is(MODE_PACK) && !mode_is(MODE_UCX)) return 0;
  if (count <= 0 || position == NULL || *position < 0 || call->packed == NULL) return 0;
  if (call->communicator == PREDEFINED_NULL || !types_find(call->type, &call->code)) return 0;
  call->count = (size_t)count;
  if (__builtin_mul_overflow(call->count, call->code.size_bytes, &call->size_bytes)) return 0;
  return room >= *position && call->size_bytes <= (size_t)(room - *position);
}

static struct verify_range whole_of(const struct pack_call *call) {
  return (struct verify_range){call->code.entry, call->code.kernel, call->count, 0, call->size_bytes};
}

static void compare_packed(const struct pack_call *call) {
  const struct verify_range range = whole_of(call);
  unsigned char *native = malloc(call->size_bytes + 1);
  int position = 0;
  if (native == NULL) return;
  NEXT(PMPI_Pack)(call->user, (int)call->count, call->type, native, (int)call->size_bytes, &position,
                  call->communicator);
  verify_packed(&range, call->packed, native);
  free(native);
}

static void recorded(const struct pack_call *call, enum stowage_direction direction, int64_t start_ns) {
  if (start_ns == 0 || call->code.entry == NULL) return;
  record_message(call->code.entry, direction, (int64_t)call->size_bytes, 0, 0, 1);
  record_packed(call->code.entry, direction, start_ns, 1);
}

static void pack(const struct pack_call *call) {
  const int64_t start_ns = record_start();
  move_range(call->code.kernel, STOWAGE_PACK, call->user, call->count, call->packed, 0, call->size_bytes);
  recorded(call, STOWAGE_PACK, start_ns);
  if (mode_verifies()) compare_packed(call);
  count_ours(call->size_bytes);
}

/* By the MPI, and compared; where that cannot be, by ours, and packed again. */
static void unpack_verified(const struct pack_call *call) {
  const struct verify_range range = whole_of(call);
  int position = 0;
  if (!verify_can_unpack(&range)) {
    move_range(call->code.kernel, STOWAGE_UNPACK, call->user, call->count, call->packed, 0, call->size_bytes);
    compare_packed(call);
    return;
  }
  NEXT(PMPI_Unpack)(call->packed, (int)call->size_bytes, &position, call->user, (int)call->count, call->type,
                    call->communicator);
  verify_unpacked(&range, call->user, call->packed);
}

static void unpack(const struct pack_call *call) {
  const int64_t start_ns = record_start();
  count_ours(call->size_bytes);
  if (mode_verifies()) unpack_verified(call);
  else move_range(call->code.kernel, STOWAGE_UNPACK, call->user, call->count, call->packed, 0, call->size_bytes);
  recorded(call, STOWAGE_UNPACK, start_ns);
}

static int packs(const void *user, int count, MPI_Datatype type, void *packed, int room, int *position,
                 MPI_Comm communicator) {
  struct pack_call call = {
      .user = (void *)(uintptr_t)user, .packed = packed, .type = type, .communicator = communicator};
  if (!is_ours(&call, count, room, position)) return 0;
  call.packed += *position;
  pack(&call);
  *position += (int)call.size_bytes;
  return 1;
}

static int unpacks(const void *packed, int room, int *position, void *user, int count, MPI_Datatype type,
                   MPI_Comm communicator) {
  struct pack_call call = {
      .user = user, .packed = (void *)(uintptr_t)packed, .type = type, .communicator = communicator};
  if (!is_ours(&call, count, room, position)) return 0;
  call.packed += *position;
  unpack(&call);
  *position += (int)call.size_bytes;
  return 1;
}

/* A call that stays native, of a type that is known: its time is recorded where no convertor or UCX datatype records
 * it. */
struct native_call {
  struct stowage_code *entry;
  int64_t start_ns;
  int position;
};

static struct native_call natively(MPI_Datatype type, const int *position) {
  struct type_code code = {0};
  if (!record_wanted() || position == NULL || mode_is(MODE_CONVERTOR)) return (struct native_call){0};
  types_find(type, &code);
  return (struct native_call){code.entry, record_start(), *position};
}

static int ended(const struct native_call *call, enum stowage_direction direction, const int *position, int status) {
  if (call->entry == NULL || status != MPI_SUCCESS) return status;
  record_message(call->entry, direction, *position - call->position, 0, 0, 0);
  record_packed(call->entry, direction, call->start_ns, 0);
  return status;
}

static int pack_call(const void *user, int count, MPI_Datatype type, void *packed, int room, int *position,
                     MPI_Comm communicator) {
  if (packs(user, count, type, packed, room, position, communicator)) return MPI_SUCCESS;
  const struct native_call call = natively(type, position);
  return ended(&call, STOWAGE_PACK, position,
               BEHIND(NEXT(PMPI_Pack)(user, count, type, packed, room, position, communicator)));
}

static int unpack_call(const void *packed, int room, int *position, void *user, int count, MPI_Datatype type,
                       MPI_Comm communicator) {
  if (unpacks(packed, room, position, user, count, type, communicator)) return MPI_SUCCESS;
  const struct native_call call = natively(type, position);
  return ended(&call, STOWAGE_UNPACK, position,
               BEHIND(NEXT(PMPI_Unpack)(packed, room, position, user, count, type, communicator)));
}

/* A profiler behind us sees its calls: it passes them on to the second name, which is then ours. */
#define HAS_PROFILER(name, second) (NEXT(name) != NEXT(second))

HOOK(int, MPI_Pack)(const void *user, int count, MPI_Datatype type, void *packed, int room, int *position,
                    MPI_Comm communicator) {
  if (gpu_maybe() && is_outermost()) {
    int status;
    const struct gpu_pack_call call = {STOWAGE_PACK, (void *)(uintptr_t)user, count, type, packed, room, position,
                                       communicator};
    if (gpu_packs(&call, &status)) return status;
  }
  if (HAS_PROFILER(MPI_Pack, PMPI_Pack))
    return BEHIND(NEXT(MPI_Pack)(user, count, type, packed, room, position, communicator));
  return pack_call(user, count, type, packed, room, position, communicator);
}

HOOK(int, PMPI_Pack)(const void *user, int count, MPI_Datatype type, void *packed, int room, int *position,
                     MPI_Comm communicator) {
  if (gpu_maybe() && is_outermost()) {
    int status;
    const struct gpu_pack_call call = {STOWAGE_PACK, (void *)(uintptr_t)user, count, type, packed, room, position,
                                       communicator};
    if (gpu_packs(&call, &status)) return status;
  }
  return pack_call(user, count, type, packed, room, position, communicator);
}

HOOK(int, MPI_Unpack)(const void *packed, int room, int *position, void *user, int count, MPI_Datatype type,
                      MPI_Comm communicator) {
  if (gpu_maybe() && is_outermost()) {
    int status;
    const struct gpu_pack_call call = {STOWAGE_UNPACK, user,     count,       type, (void *)(uintptr_t)packed,
                                       room,           position, communicator};
    if (gpu_packs(&call, &status)) return status;
  }
  if (HAS_PROFILER(MPI_Unpack, PMPI_Unpack))
    return BEHIND(NEXT(MPI_Unpack)(packed, room, position, user, count, type, communicator));
  return unpack_call(packed, room, position, user, count, type, communicator);
}

HOOK(int, PMPI_Unpack)(const void *packed, int room, int *position, void *user, int count, MPI_Datatype type,
                       MPI_Comm communicator) {
  if (gpu_maybe() && is_outermost()) {
    int status;
    const struct gpu_pack_call call = {STOWAGE_UNPACK, user,     count,       type, (void *)(uintptr_t)packed,
                                       room,           position, communicator};
    if (gpu_packs(&call, &status)) return status;
  }
  return unpack_call(packed, room, position, user, count, type, communicator);
}
