/* Time in calls of the MPI, by the types of their messages: what `stowage run --record` preloads beside the packing. */
#ifndef STOWAGE_SPENT_H
#define STOWAGE_SPENT_H

#include "counted.h"

#include <mpi.h>
#include <stdint.h>

enum side { SENT = 0, RECEIVED = 1 };

/* A message of a call: elements of a type that go out or come in. */
struct part {
  MPI_Count count;
  MPI_Datatype type;
  enum side side;
};

/* Times may be nested, where a call or a profiler calls another: the outermost counts. 0: an inner one. */
int64_t call_began(void);
/* Nanoseconds since then; 0 for an inner one. */
int64_t call_ended(int64_t began);

/* A call's time is its messages' in equal parts. */
void spent(const struct part parts[], int count, int64_t ns);
/* Counts the time of an all-to-all with a type for each of the communicator's processes; `sent` of none: in place. */
void spent_on_all(MPI_Comm communicator, struct numbers sent, const MPI_Datatype out[], struct numbers received,
                  const MPI_Datatype in[], int64_t ns);

/* A request's later calls are its message's too. */
void request_began(const struct part *part, const MPI_Request *request);
/* Copies the requests that a call is about to wait for. NULL: none, or no memory. */
MPI_Request *requests_awaited(int count, const MPI_Request requests[]);
/* The call's time is theirs in equal parts; those that are gone are forgotten. Frees the copy. */
void requests_spent(int count, MPI_Request *before, const MPI_Request after[], int64_t ns);

#endif
