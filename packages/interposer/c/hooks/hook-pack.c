/* MPI_Pack and MPI_Unpack, which not every MPI carries out by what is hooked deeper inside: Open MPI from 5.0 on packs
 * many elements as one of a type that it makes for the call. */
#include <mpi.h>

#include "counted.h"
#include "elements.h"
#include "hook.h"
#include "mode.h"
#include "packing-calls.h"
#include "predefined.h"
#include "record.h"
#include "watch.h"

/* Whether the MPI would carry the call out without an error, and we hold code for its elements. */
static int is_ours(const struct packing_call *call, struct elements *elements) {
  if (call->position < 0 || call->packed == NULL || call->communicator == PREDEFINED_NULL) return 0;
  *elements = packing_elements(call);
  return elements_are_ours(elements) && packing_has_room(call, elements->bytes);
}

/* By our code. 0: nothing was done. */
static int is_carried_out(struct packing_call *call) {
  struct elements elements;
  if (!is_ours(call, &elements)) return 0;
  unsigned char *packed = call->packed + call->position;
  if (call->direction == STOWAGE_PACK) elements_pack(&elements, packed);
  else elements_unpack(&elements, packed, elements.bytes);
  call->position += (MPI_Count)elements.bytes;
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
