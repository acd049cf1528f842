/* Messages that go on when the call has returned, and the calls that start, complete and free their requests.
 * Operations are taken out before the MPI is asked, since it may give a handle away again as soon as it has completed
 * it; those that are not over are put back. */
#include <mpi.h>

#include "counted.h"
#include "raise.h"
#include "hook.h"
#include "starts.h"
#include "operation.h"
#include "ours.h"
#include "pending.h"
#include "predefined.h"
#include "receives.h"
#include "say.h"

#include <stdlib.h>

/* Calls the MPI with what it is given, and keeps the operation under the request's handle. */
#define BEGUN(m, raised_on, call)                                                                         \
  __extension__({                                                                                         \
    struct operation *made_;                                                                              \
    const int class_ = operation_make(m, &made_);                                                         \
    const struct message *own = &made_->message;                                                          \
    class_ != MPI_SUCCESS ? mpi_raise(raised_on, class_) : operation_began(made_, BEHIND(call), request); \
  })

#define STARTS(suffix, counts, places, name, constness, describes, is_persistent, is_buffered)                         \
  HOOKED(name##suffix,                                                                                                 \
         (constness void *user, counts count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator,             \
          MPI_Request *request),                                                                                       \
         (user, count, type, peer, tag, communicator, request)) {                                                      \
    struct message m;                                                                                                  \
    const struct call call = {user, count, type, peer, communicator, 0, is_persistent, is_buffered};                   \
    if ((describes) != call_sends) receive_seen(type, (size_t)count);                                                  \
    if (!describes(&call, &m)) {                                                                                       \
      struct host_send past;                                                                                           \
      const int is_native = (describes) != call_sends || is_buffered;                                                  \
      struct host_send *kept =                                                                                         \
          is_persistent && !is_native ? host_persistent_begin(user, count, type, peer, communicator) : NULL;           \
      if (kept != NULL)                                                                                                \
        return host_persistent_made(kept, BEHIND(next(user, count, type, peer, tag, communicator, request)), request); \
      if (is_persistent && (describes) != call_sends)                                                                  \
        return starts_of_receive(&call, next(user, count, type, peer, tag, communicator, request), request);           \
      if (is_native || is_persistent) return next(user, count, type, peer, tag, communicator, request);                \
      const int goes_past = host_send_begin(&past, user, count, type, peer, communicator);                             \
      struct operation *made = sent_past_make(&past);                                                                  \
      const int begun = goes_past                                                                                      \
                            ? SENT_PAST(&past, request, next(user, count, type, peer, tag, communicator, request))     \
                            : next(user, count, type, peer, tag, communicator, request);                               \
      if (LIKELY(made == NULL)) return begun;                                                                          \
      sent_past_begun(made, &past);                                                                                    \
      return operation_began(made, begun, request);                                                                    \
    }                                                                                                                  \
    return BEGUN(                                                                                                      \
        &m, communicator,                                                                                              \
        next(own->given.memory, (counts)own->given.count, own->given.type, peer, tag, communicator, request));         \
  }

EACH_COUNT(STARTS, Isend, const, call_sends, 0, 0)
EACH_COUNT(STARTS, Issend, const, call_sends, 0, 0)
EACH_COUNT(STARTS, Irsend, const, call_sends, 0, 0)
EACH_COUNT(STARTS, Ibsend, const, call_sends, 0, 1)
EACH_COUNT(STARTS, Send_init, const, call_sends, 1, 0)
EACH_COUNT(STARTS, Ssend_init, const, call_sends, 1, 0)
EACH_COUNT(STARTS, Rsend_init, const, call_sends, 1, 0)
EACH_COUNT(STARTS, Bsend_init, const, call_sends, 1, 1)
EACH_COUNT(STARTS, Irecv, , call_receives_or_tries, 0, 0)
EACH_COUNT(STARTS, Recv_init, , call_receives_or_looks, 1, 0)

/* A message tells of no communicator. */
#define STARTS_MATCHED(suffix, counts, places, name)                                                              \
  HOOKED(name##suffix, (void *user, counts count, MPI_Datatype type, MPI_Message *message, MPI_Request *request), \
         (user, count, type, message, request)) {                                                                 \
    struct message m;                                                                                             \
    const struct call call = {user, count, type, MPI_ANY_SOURCE, PREDEFINED_WORLD, 0, 0, 1};                      \
    if (!call_receives_or_tries(&call, &m)) return next(user, count, type, message, request);                     \
    return BEGUN(&m, PREDEFINED_SELF,                                                                             \
                 next(own->given.memory, (counts)own->given.count, own->given.type, message, request));           \
  }

EACH_COUNT(STARTS_MATCHED, Imrecv)

/* Two messages of one request, which the MPI sends by itself. */
#if MPI_VERSION >= 4
#define STARTS_BOTH(suffix, counts, places, name)                                                                 \
  HOOKED(name##suffix,                                                                                            \
         (const void *sent, counts sent_count, MPI_Datatype sent_type, int to, int sent_tag, void *received,      \
          counts received_count, MPI_Datatype received_type, int from, int received_tag, MPI_Comm communicator,   \
          MPI_Request *request),                                                                                  \
         (sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type, from, received_tag, \
          communicator, request)) {                                                                               \
    struct message m;                                                                                             \
    const struct call call = {received, received_count, received_type, from, communicator, 0, 0, 0};              \
    if (!offered_maybe() || !offered_is_received(&call, &m))                                                      \
      return next(sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type, from,       \
                  received_tag, communicator, request);                                                           \
    return BEGUN(&m, communicator,                                                                                \
                 next(sent, sent_count, sent_type, to, sent_tag, own->given.memory, (counts)own->given.count,     \
                      own->given.type, from, received_tag, communicator, request));                               \
  }

#define STARTS_REPLACING(suffix, counts, places, name)                                                                \
  HOOKED(name##_replace##suffix,                                                                                      \
         (void *user, counts count, MPI_Datatype type, int to, int sent_tag, int from, int received_tag,              \
          MPI_Comm communicator, MPI_Request *request),                                                               \
         (user, count, type, to, sent_tag, from, received_tag, communicator, request)) {                              \
    struct message m;                                                                                                 \
    const struct call call = {user, count, type, from, communicator, 0, 0, 0};                                        \
    if (!offered_maybe() || !offered_is_received(&call, &m))                                                          \
      return next(user, count, type, to, sent_tag, from, received_tag, communicator, request);                        \
    return BEGUN(&m, communicator,                                                                                    \
                 next(own->given.memory, (counts)own->given.count, own->given.type, to, sent_tag, from, received_tag, \
                      communicator, request));                                                                        \
  }

EACH_COUNT(STARTS_BOTH, Isendrecv)
EACH_COUNT(STARTS_REPLACING, Isendrecv)
#endif

/* --- Persistent requests: a send is packed whenever it is started --- */

static int has_operations(void) { return __atomic_load_n(&operation_count, __ATOMIC_RELAXED) != 0; }

static int started(__typeof__(MPI_Start) *next, MPI_Request *request) {
  struct started now;
  if (!start_of(*request, &now)) return BEHIND(next(request));
  return start_goes_on(&now, now.goes_past ? SENT_PAST(now.send, request, next(request)) : BEHIND(next(request)),
                       *request);
}

/* What goes past the MPI is packed before what follows it is started. */
static int all_started(__typeof__(MPI_Startall) *next, int count, MPI_Request requests[]) {
  int first = 0, status = MPI_SUCCESS;
  for (int i = 0; i < count && status == MPI_SUCCESS && !HAS_PROFILER(Startall); i++) {
    struct started now;
    if (!start_of(requests[i], &now)) continue;
    const int some = i + 1 - first;
    status = now.goes_past ? SENT_PAST(now.send, &requests[i], next(some, requests + first))
                           : BEHIND(next(some, requests + first));
    start_goes_on(&now, status, requests[i]);
    first = i + 1;
  }
  const int are_over = status != MPI_SUCCESS || (first > 0 && first == count);
  return are_over ? status : BEHIND(next(count - first, requests + first));
}

HOOKED(Start, (MPI_Request * request), (request)) {
  const int class = has_operations() ? operations_start(1, request) : MPI_SUCCESS;
  return class != MPI_SUCCESS ? mpi_raise(PREDEFINED_SELF, class) : started(next, request);
}

HOOKED(Startall, (int count, MPI_Request requests[]), (count, requests)) {
  const int class = has_operations() ? operations_start(count, requests) : MPI_SUCCESS;
  return class != MPI_SUCCESS ? mpi_raise(PREDEFINED_SELF, class) : all_started(next, count, requests);
}

/* The MPI still has what a message under way was given: its request is kept, and the program's handle taken. */
HOOKED(Request_free, (MPI_Request * request), (request)) {
  struct operation *operation = operation_take(*request);
  starts_end(*request);
  if (operation != NULL && (timed_forgets(&operation->message) || sent_past_forgets(&operation->message))) {
    operation_free(operation);
    operation = NULL;
  }
  if (operation == NULL) return BEHIND(next(request));
  if (operation->is_active) {
    operation_abandon(operation, *request);
    *request = PREDEFINED_NO_REQUEST;
    return MPI_SUCCESS;
  }
  const int status = BEHIND(next(request));
  operation_free(operation);
  return status;
}

/* --- Completions --- */

/* The operations among a call's requests, and where the MPI says what became of them. */
struct looked_at {
  int count;
  struct operation **operations; /* NULL where a request is none of ours, or is over */
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
static int look_at(struct looked_at *all, int count, const MPI_Request requests[], MPI_Status *statuses,
                   int has_statuses) {
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
  if (all->operations == NULL || all->handles == NULL || all->completed == NULL || all->statuses == NULL)
    end_without_memory("the requests of a call");
  for (int i = 0; i < count; i++) {
    all->handles[i] = requests[i];
    all->operations[i] = operation_take(requests[i]);
    if (all->operations[i] == NULL) continue;
    all->operations[i]->request = requests[i];
    message_call_begins(&all->operations[i]->message);
  }
  return 1;
}

/* The request at a place is over. */
static void is_done(struct looked_at *all, int place, const MPI_Status *status, int is_well) {
  if (place < 0 || place >= all->count || all->operations[place] == NULL) return;
  all->completed[all->completions++] = (struct completed){all->operations[place], status, is_well};
  all->operations[place] = NULL;
}

/* Unpacks what has come, and puts the rest back. */
static int settle(struct looked_at *all, int status) {
  for (int i = 0; i < all->count; i++) {
    if (all->operations[i] == NULL) continue;
    message_call_ends(&all->operations[i]->message);
    operation_put(all->operations[i], all->handles[i]);
  }
  const int class = operations_finish(all->completed, all->completions);
  forget(all);
  operations_sweep();
  return class == MPI_SUCCESS ? status : mpi_raise(PREDEFINED_SELF, class);
}

/* An error of the call itself leaves its requests as they are; one of a message is in its status. */
static void all_over(struct looked_at *all, int status) {
  for (int i = 0; i < all->count; i++) {
    const int own = status == MPI_ERR_IN_STATUS ? all->statuses[i].MPI_ERROR : status;
    if (status == MPI_SUCCESS || (status == MPI_ERR_IN_STATUS && own != MPI_ERR_PENDING))
      is_done(all, i, &all->statuses[i], own == MPI_SUCCESS);
  }
}

/* One request: the MPI takes the handle of a message that failed, too. */
static void one_over(struct looked_at *all, int place, int status, const MPI_Request *request) {
  const int is_gone = status != MPI_SUCCESS && *request != all->handles[place < 0 ? 0 : place];
  if (status == MPI_SUCCESS || is_gone) is_done(all, place, all->statuses, status == MPI_SUCCESS);
}

/* Sees to the requests that are over, which `places` names; statuses lie one behind the other. */
static void some_over(struct looked_at *all, int status, int done, const int places[]) {
  if ((status != MPI_SUCCESS && status != MPI_ERR_IN_STATUS) || done == MPI_UNDEFINED) return;
  for (int i = 0; i < done; i++)
    is_done(all, places[i], &all->statuses[i], status == MPI_SUCCESS || all->statuses[i].MPI_ERROR == MPI_SUCCESS);
}

/* `over`: which are, by what the MPI's `code` and its answers say. */
#define COMPLETES(name, parameters, arguments, count, requests, told, ignored, over)                             \
  HOOKED(name, parameters, arguments) {                                                                          \
    struct looked_at all;                                                                                        \
    if (!look_at(&all, count, requests, told, told != ignored)) return operations_swept(BEHIND(next arguments)); \
    told = all.statuses;                                                                                         \
    const int code = BEHIND(next arguments);                                                                     \
    over;                                                                                                        \
    return settle(&all, code);                                                                                   \
  }
#define COMPLETES_ONE(name, parameters, arguments, count, requests, over) \
  COMPLETES(name, parameters, arguments, count, requests, status, MPI_STATUS_IGNORE, over)
#define COMPLETES_MANY(name, parameters, arguments, over) \
  COMPLETES(name, parameters, arguments, count, requests, statuses, MPI_STATUSES_IGNORE, over)

COMPLETES_ONE(Wait, (MPI_Request * request, MPI_Status *status), (request, status), 1, request,
              one_over(&all, 0, code, request))
COMPLETES_ONE(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), 1, request,
              if (code != MPI_SUCCESS || *flag) one_over(&all, 0, code, request))
COMPLETES_ONE(Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status),
              (count, requests, index, status), count, requests,
              if (*index != MPI_UNDEFINED) one_over(&all, *index, code, &requests[*index]))
COMPLETES_ONE(Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
              (count, requests, index, flag, status), count, requests,
              if (*flag && *index != MPI_UNDEFINED) one_over(&all, *index, code, &requests[*index]))

COMPLETES_MANY(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses),
               all_over(&all, code))
COMPLETES_MANY(Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
               (count, requests, flag, statuses), if (code == MPI_ERR_IN_STATUS || *flag) all_over(&all, code))
COMPLETES_MANY(Waitsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),
               (count, requests, done, indices, statuses), some_over(&all, code, *done, indices))
COMPLETES_MANY(Testsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),
               (count, requests, done, indices, statuses), some_over(&all, code, *done, indices))
