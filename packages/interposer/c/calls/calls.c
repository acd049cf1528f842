/* The calls whose time is recorded, under both their names: those that send and receive, and those that wait. */
#include "spent.h"

#include "exported.h"
#include "next.h"

#define BOTH(call) call(MPI_) call(PMPI_)

/* `parts`: the messages of a call. */
#define TIMED_AS(prefix, name, parameters, arguments, ...)                    \
  HIDDEN int hook_##prefix##name parameters {                                 \
    const int64_t began_ = call_began();                                      \
    const int status_ = NEXT(prefix##name) arguments;                         \
    const struct part parts_[] = {__VA_ARGS__};                               \
    spent(parts_, (int)(sizeof parts_ / sizeof *parts_), call_ended(began_)); \
    return status_;                                                           \
  }
#define TIMED(name, parameters, arguments, ...)            \
  TIMED_AS(MPI_, name, parameters, arguments, __VA_ARGS__) \
  TIMED_AS(PMPI_, name, parameters, arguments, __VA_ARGS__)

/* The same of one that leaves a request behind. */
#define BEGUN_AS(prefix, name, parameters, arguments, ...)                     \
  HIDDEN int hook_##prefix##name parameters {                                  \
    const int64_t began_ = call_began();                                       \
    const int status_ = NEXT(prefix##name) arguments;                          \
    const struct part part_ = __VA_ARGS__;                                     \
    spent(&part_, 1, call_ended(began_));                                      \
    if (began_ != 0 && status_ == MPI_SUCCESS) request_began(&part_, request); \
    return status_;                                                            \
  }
#define BEGUN(name, parameters, arguments, ...)            \
  BEGUN_AS(MPI_, name, parameters, arguments, __VA_ARGS__) \
  BEGUN_AS(PMPI_, name, parameters, arguments, __VA_ARGS__)

#define AWAITED_AS(prefix, name, parameters, arguments, count, requests) \
  HIDDEN int hook_##prefix##name parameters {                            \
    MPI_Request *before_ = requests_awaited(count, requests);            \
    const int64_t began_ = call_began();                                 \
    const int status_ = NEXT(prefix##name) arguments;                    \
    requests_spent(count, before_, requests, call_ended(began_));        \
    return status_;                                                      \
  }
#define AWAITED(name, parameters, arguments, count, requests)    \
  AWAITED_AS(MPI_, name, parameters, arguments, count, requests) \
  AWAITED_AS(PMPI_, name, parameters, arguments, count, requests)

#define OUT const void *user, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator
#define OUT_ user, count, type, to, tag, communicator
#define IN void *user, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator
#define IN_ user, count, type, from, tag, communicator

TIMED(Send, (OUT), (OUT_), {count, type, SENT})
TIMED(Ssend, (OUT), (OUT_), {count, type, SENT})
TIMED(Rsend, (OUT), (OUT_), {count, type, SENT})
TIMED(Bsend, (OUT), (OUT_), {count, type, SENT})
TIMED(Recv, (IN, MPI_Status *status), (IN_, status), {count, type, RECEIVED})
TIMED(Sendrecv,
      (const void *user, int count, MPI_Datatype type, int to, int tag, void *in, int most, MPI_Datatype other,
       int from, int its, MPI_Comm communicator, MPI_Status *status),
      (user, count, type, to, tag, in, most, other, from, its, communicator, status), {count, type, SENT},
      {most, other, RECEIVED})
TIMED(Sendrecv_replace,
      (void *user, int count, MPI_Datatype type, int to, int tag, int from, int its, MPI_Comm communicator,
       MPI_Status *status),
      (user, count, type, to, tag, from, its, communicator, status), {count, type, SENT}, {count, type, RECEIVED})

BEGUN(Isend, (OUT, MPI_Request *request), (OUT_, request), {count, type, SENT})
BEGUN(Issend, (OUT, MPI_Request *request), (OUT_, request), {count, type, SENT})
BEGUN(Irsend, (OUT, MPI_Request *request), (OUT_, request), {count, type, SENT})
BEGUN(Ibsend, (OUT, MPI_Request *request), (OUT_, request), {count, type, SENT})
BEGUN(Irecv, (IN, MPI_Request *request), (IN_, request), {count, type, RECEIVED})
BEGUN(Send_init, (OUT, MPI_Request *request), (OUT_, request), {count, type, SENT})
BEGUN(Ssend_init, (OUT, MPI_Request *request), (OUT_, request), {count, type, SENT})
BEGUN(Recv_init, (IN, MPI_Request *request), (IN_, request), {count, type, RECEIVED})

AWAITED(Wait, (MPI_Request * request, MPI_Status *status), (request, status), 1, request)
AWAITED(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), 1, request)
AWAITED(Start, (MPI_Request * request), (request), 1, request)
AWAITED(Startall, (int count, MPI_Request all[]), (count, all), count, all)
AWAITED(Waitall, (int count, MPI_Request all[], MPI_Status *statuses), (count, all, statuses), count, all)
AWAITED(Testall, (int count, MPI_Request all[], int *flag, MPI_Status *statuses), (count, all, flag, statuses), count,
        all)
AWAITED(Waitany, (int count, MPI_Request all[], int *which, MPI_Status *status), (count, all, which, status), count,
        all)
AWAITED(Testany, (int count, MPI_Request all[], int *which, int *flag, MPI_Status *status),
        (count, all, which, flag, status), count, all)
AWAITED(Waitsome, (int count, MPI_Request all[], int *done, int *which, MPI_Status *statuses),
        (count, all, done, which, statuses), count, all)
AWAITED(Testsome, (int count, MPI_Request all[], int *done, int *which, MPI_Status *statuses),
        (count, all, done, which, statuses), count, all)
AWAITED(Request_free, (MPI_Request * request), (request), 1, request)

#define FROM const void *user, int count, MPI_Datatype type
#define FROM_ user, count, type
#define INTO void *in, int most, MPI_Datatype other

TIMED(Bcast, (void *user, int count, MPI_Datatype type, int root, MPI_Comm communicator),
      (user, count, type, root, communicator), {count, type, SENT})
TIMED(Gather, (FROM, INTO, int root, MPI_Comm communicator), (FROM_, in, most, other, root, communicator),
      {count, type, SENT})
TIMED(Scatter, (FROM, INTO, int root, MPI_Comm communicator), (FROM_, in, most, other, root, communicator),
      {most, other, RECEIVED})
TIMED(Allgather, (FROM, INTO, MPI_Comm communicator), (FROM_, in, most, other, communicator), {most, other, SENT},
      {most, other, RECEIVED})
TIMED(Alltoall, (FROM, INTO, MPI_Comm communicator), (FROM_, in, most, other, communicator), {most, other, SENT},
      {most, other, RECEIVED})
TIMED(Put, (FROM, int to, MPI_Aint at, int its, MPI_Datatype other, MPI_Win window),
      (FROM_, to, at, its, other, window), {count, type, SENT})
TIMED(Get,
      (void *user, int count, MPI_Datatype type, int from, MPI_Aint at, int its, MPI_Datatype other, MPI_Win window),
      (user, count, type, from, at, its, other, window), {count, type, RECEIVED})

#define ALL                                                                                                        \
  const void *user, const int sent[], const int out[], const MPI_Datatype types[], void *in, const int received[], \
      const int at[], const MPI_Datatype others[], MPI_Comm communicator
#define ALLTOALLW(prefix)                                                                                       \
  HIDDEN int hook_##prefix##Alltoallw(ALL) {                                                                    \
    const int64_t began = call_began();                                                                         \
    const int status = NEXT(prefix##Alltoallw)(user, sent, out, types, in, received, at, others, communicator); \
    spent_on_all(communicator, user == MPI_IN_PLACE ? MPI_IN_PLACE : sent, types, received, others,             \
                 call_ended(began));                                                                            \
    return status;                                                                                              \
  }
BOTH(ALLTOALLW)
