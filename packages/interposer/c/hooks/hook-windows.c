/* One-sided communication: the side at the origin of puts and gets. Accumulates are the MPI's: their elements are
 * combined one by one, in an order that it keeps (MPI 4.1, section 12.7.1). */
#include <mpi.h>

#include "buffer.h"
#include "counted.h"
#include "direct.h"
#include "hook.h"
#include "route-transfer.h"
#include "twin.h"
#include "window.h"

/* How many elements the MPI is given of a call that goes straight: all in a trial, else none. */
#define GIVEN(direct, count) ((direct).is_trial ? (count) : 0)

/* The MPI's call returned with a status. */
static int began(struct transfer *t, int status) {
  if (status == MPI_SUCCESS) transfer_keep(t);
  transfer_drop(t);
  return status;
}

#define TRANSFERS(suffix, counts, places, name, direction, constness)                                                \
  HOOKED(name##suffix,                                                                                               \
         (constness void *user, counts count, MPI_Datatype type, int target, MPI_Aint at, counts target_count,       \
          MPI_Datatype target_type, MPI_Win window),                                                                 \
         (user, count, type, target, at, target_count, target_type, window)) {                                       \
    const struct transfer_call call = {direction, user, count, type, target, at, target_count, target_type, window}; \
    const int is_on_host = !lies_on_device(user, count, type);                                                       \
    struct direct direct;                                                                                            \
    if (is_on_host && direct_begin(&direct, &call))                                                                  \
      return direct_over(&direct, BEHIND(next(user, GIVEN(direct, count), type, target, at,                          \
                                              GIVEN(direct, target_count), target_type, window)));                   \
    struct transfer *t = is_on_host ? transfer_begin(&call) : NULL;                                                  \
    if (t == NULL) return BEHIND(next(user, count, type, target, at, target_count, twin_for(&call), window));        \
    const struct transfer_given *g = transfer_given(t);                                                              \
    return began(t,                                                                                                  \
                 BEHIND(next(g->memory, (counts)g->count, g->type, target, at, (counts)g->count, g->type, window))); \
  }

EACH_COUNT(TRANSFERS, Put, STOWAGE_PACK, const)
EACH_COUNT(TRANSFERS, Get, STOWAGE_UNPACK, )

#define REQUESTS(suffix, counts, places, name, direction, constness)                                                 \
  HOOKED(name##suffix,                                                                                               \
         (constness void *user, counts count, MPI_Datatype type, int target, MPI_Aint at, counts target_count,       \
          MPI_Datatype target_type, MPI_Win window, MPI_Request *request),                                           \
         (user, count, type, target, at, target_count, target_type, window, request)) {                              \
    const struct transfer_call call = {direction, user, count, type, target, at, target_count, target_type, window}; \
    const int is_on_host = !lies_on_device(user, count, type);                                                       \
    struct direct direct;                                                                                            \
    if (is_on_host && direct_begin(&direct, &call))                                                                  \
      return direct_over(&direct, BEHIND(next(user, GIVEN(direct, count), type, target, at,                          \
                                              GIVEN(direct, target_count), target_type, window, request)));          \
    struct transfer *t = is_on_host ? transfer_begin(&call) : NULL;                                                  \
    struct operation *operation = t == NULL ? NULL : transfer_operation(t, direction);                               \
    if (t != NULL && operation == NULL) transfer_drop(t);                                                            \
    if (operation == NULL)                                                                                           \
      return BEHIND(next(user, count, type, target, at, target_count, twin_for(&call), window, request));            \
    const struct transfer_given *g = transfer_given(t);                                                              \
    return transfer_requested(                                                                                       \
        operation, t,                                                                                                \
        BEHIND(next(g->memory, (counts)g->count, g->type, target, at, (counts)g->count, g->type, window, request)),  \
        request);                                                                                                    \
  }

EACH_COUNT(REQUESTS, Rput, STOWAGE_PACK, const)
EACH_COUNT(REQUESTS, Rget, STOWAGE_UNPACK, )

/* --- What completes them --- */

#define COMPLETES(name, parameters, arguments, target)       \
  HOOKED(name, parameters, arguments) {                      \
    struct transfer *taken = transfers_take(window, target); \
    return transfers_over(taken, BEHIND(next arguments));    \
  }

COMPLETES(Win_fence, (int assert, MPI_Win window), (assert, window), EVERY_TARGET)
COMPLETES(Win_complete, (MPI_Win window), (window), EVERY_TARGET)
COMPLETES(Win_unlock, (int target, MPI_Win window), (target, window), target)
COMPLETES(Win_unlock_all, (MPI_Win window), (window), EVERY_TARGET)
COMPLETES(Win_flush, (int target, MPI_Win window), (target, window), target)
COMPLETES(Win_flush_all, (MPI_Win window), (window), EVERY_TARGET)
COMPLETES(Win_flush_local, (int target, MPI_Win window), (target, window), target)
COMPLETES(Win_flush_local_all, (MPI_Win window), (window), EVERY_TARGET)

HOOKED(Win_free, (MPI_Win * window), (window)) {
  if (window == NULL) return BEHIND(next(window));
  struct transfer *taken = transfers_take(*window, EVERY_TARGET);
  window_forget(*window);
  return transfers_over(taken, BEHIND(next(window)));
}
