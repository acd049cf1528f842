/* MPI_Pack and MPI_Unpack, which not every MPI carries out by what is hooked deeper inside: Open MPI from 5.0 on packs
 * many elements as one of a type that it makes for the call. */
#include <mpi.h>

#include "counted.h"
#include "counts.h"
#include "hook.h"
#include "mode.h"
#include "move-range.h"
#include "packing-calls.h"
#include "predefined.h"
#include "record.h"
#include "types.h"
#include "verify.h"
#include "watch.h"

#include <stdlib.h>

/* A call that the MPI would carry out without an error, of a datatype whose code we hold. */
struct our_call {
  const struct packing_call *call;
  struct type_code code;
  unsigned char *packed;
  size_t size_bytes;
};

static int is_ours(struct our_call *own, const struct packing_call *call) {
  if (!mode_packs()) return 0;
  if (call->count <= 0 || call->position < 0 || call->packed == NULL) return 0;
  if (call->communicator == PREDEFINED_NULL || !types_find(call->type, &own->code)) return 0;
  own->call = call;
  own->packed = call->packed + call->position;
  return !__builtin_mul_overflow((size_t)call->count, own->code.size_bytes, &own->size_bytes) &&
         packing_has_room(call, own->size_bytes);
}

static void move(const struct our_call *own) {
  move_range(own->code.kernel, own->call->direction, own->call->user, (size_t)own->call->count, own->packed, 0,
             own->size_bytes);
}

static struct verify_range whole_of(const struct our_call *own) {
  return (struct verify_range){own->code.entry, own->code.kernel, (size_t)own->call->count, 0, own->size_bytes};
}

static void by_the_mpi(const struct packing_call *call, unsigned char *packed, size_t bytes) {
  mode_compares = 1;
  packing_natively(call, packed, bytes);
  mode_compares = 0;
}

static void compare_packed(const struct our_call *own) {
  const struct verify_range range = whole_of(own);
  struct packing_call packs = *own->call;
  unsigned char *native = malloc(own->size_bytes + 1);
  if (native == NULL) return;
  packs.direction = STOWAGE_PACK;
  by_the_mpi(&packs, native, own->size_bytes);
  verify_packed(&range, own->packed, native);
  free(native);
}

/* By the MPI, and compared; where that cannot be, by ours, and packed again. */
static void unpack_verified(const struct our_call *own) {
  const struct verify_range range = whole_of(own);
  if (!verify_can_unpack(&range)) {
    move(own);
    compare_packed(own);
    return;
  }
  by_the_mpi(own->call, own->packed, own->size_bytes);
  verify_unpacked(&range, own->call->user, own->packed);
}

static void recorded(const struct our_call *own, int64_t start_ns) {
  if (start_ns == 0 || own->code.entry == NULL) return;
  record_message(own->code.entry, own->call->direction, (int64_t)own->size_bytes, 0, 0, 1);
  record_packed(own->code.entry, own->call->direction, start_ns, 1);
}

static void pack(const struct our_call *own) {
  const int64_t start_ns = record_start();
  move(own);
  recorded(own, start_ns);
  if (mode_verifies()) compare_packed(own);
  count_ours(own->call->direction, own->size_bytes);
}

static void unpack(const struct our_call *own) {
  const int64_t start_ns = record_start();
  count_ours(own->call->direction, own->size_bytes);
  if (mode_verifies()) unpack_verified(own);
  else move(own);
  recorded(own, start_ns);
}

/* By our code. 0: nothing was done. */
static int is_carried_out(struct packing_call *call) {
  struct our_call own;
  if (!is_ours(&own, call)) return 0;
  if (call->direction == STOWAGE_PACK) pack(&own);
  else unpack(&own);
  call->position += (MPI_Count)own.size_bytes;
  return 1;
}

/* A call that stays native, of a type that is known: its time is recorded where no convertor or UCX datatype records
 * it. */
struct native_call {
  struct stowage_code *entry;
  int64_t start_ns;
};

static struct native_call natively(const struct packing_call *call) {
  struct type_code code = {0};
  if (!record_wanted() || call->position < 0 || mode_is(MODE_CONVERTOR)) return (struct native_call){0};
  types_find(call->type, &code);
  return (struct native_call){code.entry, record_start()};
}

static void ended(const struct native_call *native, const struct packing_call *call, MPI_Count position) {
  if (native->entry == NULL) return;
  record_message(native->entry, call->direction, position - call->position, 0, 0, 0);
  record_packed(native->entry, call->direction, native->start_ns, 0);
}

/* A profiler behind us sees the calls of the first name, and passes them on to the second, which is then ours. */
#define HAS_PROFILER_PMPI_(name) 0
#define HAS_PROFILER_MPI_(name) (NEXT(MPI_##name) != NEXT(PMPI_##name))

#define PACKS_AS(prefix, name, towards, counts, parameters, arguments)                            \
  HOOK(int, prefix##name) parameters {                                                            \
    int status = MPI_SUCCESS;                                                                     \
    struct packing_call call = {                                                                  \
        towards, (void *)(uintptr_t)user,           count,       type, (void *)(uintptr_t)packed, \
        room,    position == NULL ? -1 : *position, communicator};                                \
    const int has_profiler = HAS_PROFILER_##prefix(name);                                         \
    if ((gpu_maybe() && is_outermost() && packing_on_device(&call, &status)) ||                   \
        (!has_profiler && is_carried_out(&call))) {                                               \
      *position = (counts)call.position;                                                          \
      return status;                                                                              \
    }                                                                                             \
    if (has_profiler) return BEHIND(NEXT(prefix##name) arguments);                                \
    const struct native_call native = natively(&call);                                            \
    status = BEHIND(NEXT(PMPI_##name) arguments);                                                 \
    if (status == MPI_SUCCESS && position != NULL) ended(&native, &call, *position);              \
    return status;                                                                                \
  }

#define PACKS_BY_BOTH(name, towards, counts, parameters, arguments) \
  PACKS_AS(MPI_, name, towards, counts, parameters, arguments)      \
  PACKS_AS(PMPI_, name, towards, counts, parameters, arguments)

#define PACKS(suffix, counts, places, name)                                                                      \
  PACKS_BY_BOTH(name##suffix, STOWAGE_PACK, counts,                                                              \
                (const void *user, counts count, MPI_Datatype type, void *packed, counts room, counts *position, \
                 MPI_Comm communicator),                                                                         \
                (user, count, type, packed, room, position, communicator))
#define UNPACKS(suffix, counts, places, name)                                                                    \
  PACKS_BY_BOTH(name##suffix, STOWAGE_UNPACK, counts,                                                            \
                (const void *packed, counts room, counts *position, void *user, counts count, MPI_Datatype type, \
                 MPI_Comm communicator),                                                                         \
                (packed, room, position, user, count, type, communicator))

EACH_COUNT(PACKS, Pack)
EACH_COUNT(UNPACKS, Unpack)
