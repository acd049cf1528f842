/* Calls that ask whether requests are over, and free none: a receive that is over may be read. */
#include <mpi.h>

#include "hook.h"
#include "operation.h"
#include "predefined.h"
#include "raise.h"
#include "say.h"

#include <stdlib.h>

/* The MPI says that a request is over. MPI_SUCCESS or a class. */
static int is_told(MPI_Request request, const MPI_Status *status) {
  struct operation *operation = operation_find(request);
  return operation == NULL ? MPI_SUCCESS : operation_is_told(operation, status);
}

/* A call's status, where what it told of was unpacked well. */
static int told(int code, int class) {
  operations_sweep();
  return class == MPI_SUCCESS ? code : mpi_raise(PREDEFINED_SELF, class);
}

HOOKED(Request_get_status, (MPI_Request request, int *flag, MPI_Status *status), (request, flag, status)) {
  MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
  operations_share_over(1, &request);
  const int code = BEHIND(next(request, flag, seen));
  return told(code, code == MPI_SUCCESS && *flag ? is_told(request, seen) : MPI_SUCCESS);
}

/* MPICH 4.2 does not say that the requests are const. */
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
HOOKED(Request_get_status_any, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
       (count, requests, index, flag, status)) {
  MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
  operations_share_over(count, requests);
  const int code = BEHIND(next(count, requests, index, flag, seen));
  const int is_over = code == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED;
  return told(code, is_over ? is_told(requests[*index], seen) : MPI_SUCCESS);
}

/* The program's statuses; where it wants none, of ours, which all_told frees. */
static MPI_Status *statuses_for(int count, MPI_Status *statuses, MPI_Status **own) {
  *own = statuses == MPI_STATUSES_IGNORE ? calloc((size_t)count + 1, sizeof **own) : NULL;
  if (statuses == MPI_STATUSES_IGNORE && *own == NULL) end_without_memory("the statuses of a call");
  return *own != NULL ? *own : statuses;
}

/* Requests that are over: those that `places` names, or the first `count`. */
static int all_told(int code, int count, const MPI_Request requests[], const int places[], const MPI_Status *seen,
                    MPI_Status *own) {
  int class = MPI_SUCCESS;
  for (int i = 0; code == MPI_SUCCESS && i < count; i++) {
    const int one = is_told(requests[places != NULL ? places[i] : i], &seen[i]);
    if (class == MPI_SUCCESS) class = one;
  }
  free(own);
  return told(code, class);
}

HOOKED(Request_get_status_all, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
       (count, requests, flag, statuses)) {
  MPI_Status *own, *seen = statuses_for(count, statuses, &own);
  operations_share_over(count, requests);
  const int code = BEHIND(next(count, requests, flag, seen));
  return all_told(code, code == MPI_SUCCESS && *flag ? count : 0, requests, NULL, seen, own);
}

HOOKED(Request_get_status_some, (int count, MPI_Request requests[], int *done, int places[], MPI_Status statuses[]),
       (count, requests, done, places, statuses)) {
  MPI_Status *own, *seen = statuses_for(count, statuses, &own);
  operations_share_over(count, requests);
  const int code = BEHIND(next(count, requests, done, places, seen));
  return all_told(code, code == MPI_SUCCESS && *done != MPI_UNDEFINED ? *done : 0, requests, places, seen, own);
}
#endif
