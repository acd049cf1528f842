/* The calls that complete requests. Operations are taken out before the MPI is asked, since it may give a handle away again as soon as
 * it has completed it; those that are not over are put back. */
#include <mpi.h>

#include "route-ipc.h"
#include "operation.h"
#include "pending.h"
#include "hook.h"
#include "predefined.h"

#include <stdlib.h>

/* The operations among a call's requests, and where the MPI says what became of them. */
struct looked_at {
  int count;
  struct device_operation **operations; /* NULL where a request is none of ours, or is over */
  MPI_Request *handles;
  MPI_Status *statuses, *own;
  struct completed *completed;
  size_t completions;
};

static void forget(struct looked_at *all) {
  free(all->operations);
  free(all->handles);
  free(all->own);
  free(all->completed);
}

/* 0: none of the requests is ours, or there is no memory to look at them. */
static int look_at(struct looked_at *all, int count, const MPI_Request requests[], MPI_Status *statuses, int has_statuses) {
  int ours = 0;
  pending_flush();
  operations_share_over(count, requests);
  *all = (struct looked_at){.count = count, .statuses = statuses};
  for (int i = 0; i < count && !ours; i++) ours = operation_find(requests[i]) != NULL;
  if (!ours) return 0;
  const size_t room = (size_t)count + 1;
  all->operations = calloc(room, sizeof *all->operations);
  all->handles = calloc(room, sizeof *all->handles);
  all->completed = calloc(room, sizeof *all->completed);
  if (!has_statuses) all->statuses = all->own = calloc(room, sizeof *all->own);
  if (all->operations == NULL || all->handles == NULL || all->completed == NULL || all->statuses == NULL) abort();
  for (int i = 0; i < count; i++) {
    all->handles[i] = requests[i];
    all->operations[i] = operation_take(requests[i]);
    if (all->operations[i] != NULL) all->operations[i]->request = requests[i];
  }
  return 1;
}

/* The request at a place is over. */
static void is_over(struct looked_at *all, int place, const MPI_Status *status, int is_well) {
  if (place < 0 || place >= all->count || all->operations[place] == NULL) return;
  all->completed[all->completions++] = (struct completed){all->operations[place], status, is_well};
  all->operations[place] = NULL;
}

/* Unpacks what has come, and puts the rest back. */
static int settle(struct looked_at *all, int status) {
  for (int i = 0; i < all->count; i++)
    if (all->operations[i] != NULL) operation_put(all->operations[i], all->handles[i]);
  const int class = operations_finish(all->completed, all->completions);
  forget(all);
  operations_sweep();
  return class == MPI_SUCCESS ? status : device_raise(PREDEFINED_SELF, class);
}

/* An error of the call itself leaves its requests as they are; one of a message is in its status. */
static void all_over(struct looked_at *all, int status) {
  for (int i = 0; i < all->count; i++) {
    const int own = status == MPI_ERR_IN_STATUS ? all->statuses[i].MPI_ERROR : status;
    if (status == MPI_SUCCESS || (status == MPI_ERR_IN_STATUS && own != MPI_ERR_PENDING)) is_over(all, i, &all->statuses[i], own == MPI_SUCCESS);
  }
}

/* One request: the MPI takes the handle of a message that failed, too. */
static void one_over(struct looked_at *all, int place, int status, const MPI_Request *request) {
  const int is_gone = status != MPI_SUCCESS && *request != all->handles[place < 0 ? 0 : place];
  if (status == MPI_SUCCESS || is_gone) is_over(all, place, all->statuses, status == MPI_SUCCESS);
}

static int waits(__typeof__(MPI_Wait) *next, MPI_Request *request, MPI_Status *status) {
  struct looked_at all;
  if (!look_at(&all, 1, request, status, status != MPI_STATUS_IGNORE)) return BEHIND(next(request, status));
  const int code = BEHIND(next(request, all.statuses));
  one_over(&all, 0, code, request);
  return settle(&all, code);
}

static int tests(__typeof__(MPI_Test) *next, MPI_Request *request, int *flag, MPI_Status *status) {
  struct looked_at all;
  if (!look_at(&all, 1, request, status, status != MPI_STATUS_IGNORE)) return BEHIND(next(request, flag, status));
  const int code = BEHIND(next(request, flag, all.statuses));
  if (code != MPI_SUCCESS || *flag) one_over(&all, 0, code, request);
  return settle(&all, code);
}

static int waits_all(__typeof__(MPI_Waitall) *next, int count, MPI_Request requests[], MPI_Status statuses[]) {
  struct looked_at all;
  if (!look_at(&all, count, requests, statuses, statuses != MPI_STATUSES_IGNORE)) return BEHIND(next(count, requests, statuses));
  const int code = BEHIND(next(count, requests, all.statuses));
  all_over(&all, code);
  return settle(&all, code);
}

static int tests_all(__typeof__(MPI_Testall) *next, int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  struct looked_at all;
  if (!look_at(&all, count, requests, statuses, statuses != MPI_STATUSES_IGNORE)) return BEHIND(next(count, requests, flag, statuses));
  const int code = BEHIND(next(count, requests, flag, all.statuses));
  if (code == MPI_ERR_IN_STATUS || *flag) all_over(&all, code);
  return settle(&all, code);
}

static int waits_any(__typeof__(MPI_Waitany) *next, int count, MPI_Request requests[], int *index, MPI_Status *status) {
  struct looked_at all;
  if (!look_at(&all, count, requests, status, status != MPI_STATUS_IGNORE)) return BEHIND(next(count, requests, index, status));
  const int code = BEHIND(next(count, requests, index, all.statuses));
  if (*index != MPI_UNDEFINED) one_over(&all, *index, code, &requests[*index]);
  return settle(&all, code);
}

static int tests_any(__typeof__(MPI_Testany) *next, int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  struct looked_at all;
  if (!look_at(&all, count, requests, status, status != MPI_STATUS_IGNORE))
    return BEHIND(next(count, requests, index, flag, status));
  const int code = BEHIND(next(count, requests, index, flag, all.statuses));
  if (*flag && *index != MPI_UNDEFINED) one_over(&all, *index, code, &requests[*index]);
  return settle(&all, code);
}

static int some(__typeof__(MPI_Waitsome) *next, int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
  struct looked_at all;
  if (!look_at(&all, count, requests, statuses, statuses != MPI_STATUSES_IGNORE))
    return BEHIND(next(count, requests, done, indices, statuses));
  const int code = BEHIND(next(count, requests, done, indices, all.statuses));
  for (int i = 0; (code == MPI_SUCCESS || code == MPI_ERR_IN_STATUS) && *done != MPI_UNDEFINED && i < *done; i++)
    is_over(&all, indices[i], &all.statuses[i], code == MPI_SUCCESS || all.statuses[i].MPI_ERROR == MPI_SUCCESS);
  return settle(&all, code);
}

/* A receive that is over may be read, though its request is not freed. */
static int tells(__typeof__(MPI_Request_get_status) *next, MPI_Request request, int *flag, MPI_Status *status) {
  MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
  operations_share_over(1, &request);
  const int code = BEHIND(next(request, flag, told));
  struct device_operation *operation = operation_find(request);
  if (code != MPI_SUCCESS || !*flag || operation == NULL || !operation->is_active || operation->is_unpacked) return code;
  struct device_buffer *buffer = &operation->buffer;
  const size_t bytes = bytes_of(told);
  const int is_send = operation->direction == STOWAGE_PACK;
  operation->is_unpacked = !is_send;
  const int class = is_send ? direct_sent(buffer) : device_unpack(&buffer, &bytes, 1);
  return class == MPI_SUCCESS ? code : device_raise(PREDEFINED_SELF, class);
}

/* A call under both its names, with its parameters and what is passed on. */
#define COMPLETES(name, ours, parameters, ...)                                                    \
  PASSES(name, __atomic_load_n(&device_operations, __ATOMIC_RELAXED) != 0, parameters, (__VA_ARGS__)) {  \
    if (is_outermost()) return ours(NEXT(name), __VA_ARGS__);                                     \
    return NEXT(name)(__VA_ARGS__);                                                               \
  }
#define COMPLETES_BOTH(name, ours, parameters, ...)     \
  COMPLETES(MPI_##name, ours, parameters, __VA_ARGS__)  \
  COMPLETES(PMPI_##name, ours, parameters, __VA_ARGS__)

COMPLETES_BOTH(Wait, waits, (MPI_Request *request, MPI_Status *status), request, status)
COMPLETES_BOTH(Test, tests, (MPI_Request *request, int *flag, MPI_Status *status), request, flag, status)
COMPLETES_BOTH(Waitall, waits_all, (int count, MPI_Request requests[], MPI_Status statuses[]), count, requests, statuses)
COMPLETES_BOTH(Testall, tests_all, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]), count, requests, flag,
               statuses)
COMPLETES_BOTH(Waitany, waits_any, (int count, MPI_Request requests[], int *index, MPI_Status *status), count, requests, index,
               status)
COMPLETES_BOTH(Testany, tests_any, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status), count, requests,
               index, flag, status)
COMPLETES_BOTH(Waitsome, some, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]), count, requests,
               done, indices, statuses)
COMPLETES_BOTH(Testsome, some, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]), count, requests,
               done, indices, statuses)
COMPLETES_BOTH(Request_get_status, tells, (MPI_Request request, int *flag, MPI_Status *status), request, flag, status)
