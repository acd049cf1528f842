/* The calls whose time is recorded, under both their names: those that send and receive, and those that wait. */
#include "spent.h"

#include "counted.h"
#include "exported.h"
#include "next.h"

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

/* Times a call that leaves a request behind. */
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

#define OUT(counts) const void *user, counts count, MPI_Datatype type, int to, int tag, MPI_Comm communicator
#define OUT_ user, count, type, to, tag, communicator
#define IN(counts) void *user, counts count, MPI_Datatype type, int from, int tag, MPI_Comm communicator
#define IN_ user, count, type, from, tag, communicator

#define SENDS(suffix, counts, places, name) TIMED(name##suffix, (OUT(counts)), (OUT_), {count, type, SENT})
#define RECEIVES(suffix, counts, places, name) \
  TIMED(name##suffix, (IN(counts), MPI_Status * status), (IN_, status), {count, type, RECEIVED})
EACH_COUNT(SENDS, Send)
EACH_COUNT(SENDS, Ssend)
EACH_COUNT(SENDS, Rsend)
EACH_COUNT(SENDS, Bsend)
EACH_COUNT(RECEIVES, Recv)

#define EXCHANGES(suffix, counts, places, name)                                                              \
  TIMED(name##suffix,                                                                                        \
        (const void *user, counts count, MPI_Datatype type, int to, int tag, void *in, counts most,          \
         MPI_Datatype other, int from, int its, MPI_Comm communicator, MPI_Status *status),                  \
        (user, count, type, to, tag, in, most, other, from, its, communicator, status), {count, type, SENT}, \
        {most, other, RECEIVED})
#define REPLACES(suffix, counts, places, name)                                                                   \
  TIMED(name##suffix,                                                                                            \
        (void *user, counts count, MPI_Datatype type, int to, int tag, int from, int its, MPI_Comm communicator, \
         MPI_Status *status),                                                                                    \
        (user, count, type, to, tag, from, its, communicator, status), {count, type, SENT}, {count, type, RECEIVED})
EACH_COUNT(EXCHANGES, Sendrecv)
EACH_COUNT(REPLACES, Sendrecv_replace)

#define STARTS_OUT(suffix, counts, places, name) \
  BEGUN(name##suffix, (OUT(counts), MPI_Request * request), (OUT_, request), {count, type, SENT})
#define STARTS_IN(suffix, counts, places, name) \
  BEGUN(name##suffix, (IN(counts), MPI_Request * request), (IN_, request), {count, type, RECEIVED})
EACH_COUNT(STARTS_OUT, Isend)
EACH_COUNT(STARTS_OUT, Issend)
EACH_COUNT(STARTS_OUT, Irsend)
EACH_COUNT(STARTS_OUT, Ibsend)
EACH_COUNT(STARTS_IN, Irecv)
EACH_COUNT(STARTS_OUT, Send_init)
EACH_COUNT(STARTS_OUT, Ssend_init)
EACH_COUNT(STARTS_IN, Recv_init)

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

#define FROM(counts) const void *user, counts count, MPI_Datatype type
#define FROM_ user, count, type
#define INTO(counts) void *in, counts most, MPI_Datatype other

#define BROADCASTS(suffix, counts, places, name)                                                      \
  TIMED(name##suffix, (void *user, counts count, MPI_Datatype type, int root, MPI_Comm communicator), \
        (user, count, type, root, communicator), {count, type, SENT})
#define ROOTED(suffix, counts, places, name, ...)                                    \
  TIMED(name##suffix, (FROM(counts), INTO(counts), int root, MPI_Comm communicator), \
        (FROM_, in, most, other, root, communicator), __VA_ARGS__)
#define OF_ALL(suffix, counts, places, name, ...)                                                                  \
  TIMED(name##suffix, (FROM(counts), INTO(counts), MPI_Comm communicator), (FROM_, in, most, other, communicator), \
        __VA_ARGS__)
EACH_COUNT(BROADCASTS, Bcast)
EACH_COUNT(ROOTED, Gather, {count, type, SENT})
EACH_COUNT(ROOTED, Scatter, {most, other, RECEIVED})
EACH_COUNT(OF_ALL, Allgather, {most, other, SENT}, {most, other, RECEIVED})
EACH_COUNT(OF_ALL, Alltoall, {most, other, SENT}, {most, other, RECEIVED})

#define PUTS(suffix, counts, places, name)                                                                 \
  TIMED(name##suffix, (FROM(counts), int to, MPI_Aint at, counts its, MPI_Datatype other, MPI_Win window), \
        (FROM_, to, at, its, other, window), {count, type, SENT})
#define GETS(suffix, counts, places, name)                                                                   \
  TIMED(name##suffix,                                                                                        \
        (void *user, counts count, MPI_Datatype type, int from, MPI_Aint at, counts its, MPI_Datatype other, \
         MPI_Win window),                                                                                    \
        (user, count, type, from, at, its, other, window), {count, type, RECEIVED})
EACH_COUNT(PUTS, Put)
EACH_COUNT(GETS, Get)

#define ALLTOALLW_AS(prefix, name, counts, places)                                                                 \
  HIDDEN int hook_##prefix##name(const void *user, const counts sent[], const places out[],                        \
                                 const MPI_Datatype types[], void *in, const counts received[], const places at[], \
                                 const MPI_Datatype others[], MPI_Comm communicator) {                             \
    const int64_t began = call_began();                                                                            \
    const int status = NEXT(prefix##name)(user, sent, out, types, in, received, at, others, communicator);         \
    spent_on_all(communicator, user == MPI_IN_PLACE ? (struct numbers){NULL, 0} : NUMBERS(sent), types,            \
                 NUMBERS(received), others, call_ended(began));                                                    \
    return status;                                                                                                 \
  }
#define ALLTOALLW(suffix, counts, places, name)    \
  ALLTOALLW_AS(MPI_, name##suffix, counts, places) \
  ALLTOALLW_AS(PMPI_, name##suffix, counts, places)
EACH_COUNT(ALLTOALLW, Alltoallw)
