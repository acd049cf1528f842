/* Messages that go on when the call has returned. */
#include <mpi.h>

#include "route-ipc.h"
#include "operation.h"
#include "pending.h"
#include "route-pipelined.h"
#include "hook.h"
#include "predefined.h"

#include <stdlib.h>

/* What Open MPI gives for sends that were over before they had a request. */
static int is_shared(MPI_Request request) {
#ifdef OPEN_MPI
  return request == (MPI_Request)shared_object("ompi_request_empty");
#else
  return request != PREDEFINED_NO_REQUEST;
#endif
}

static int staged(struct device_buffer *b, int packs) {
  operations_sweep();
  int class = device_stage(b);
  if (class == MPI_SUCCESS && packs) class = pipeline_send(b);
  if (class != MPI_SUCCESS) device_release(b);
  return class;
}

static int staged_send(struct device_buffer *b, int is_persistent, int peer, MPI_Comm communicator) {
  if ((is_persistent ? direct_keep : direct_isend)(b, peer, communicator)) return MPI_SUCCESS;
  const int class = staged(b, !is_persistent);
  if (class == MPI_SUCCESS && is_persistent) pipeline_keep(b);
  return class;
}

static int staged_receive(struct device_buffer *b, int peer, MPI_Comm communicator) {
  if (b->is_host) return MPI_SUCCESS;
  const int class = staged(b, 0);
  if (class == MPI_SUCCESS) direct_receive(b, peer, communicator);
  return class;
}

/* An MPI may give all sends that are over at once one handle: nothing is to be waited for. An envelope has a handle of its own. */
static int is_over(const struct device_operation *operation, MPI_Request request) {
  int is_complete = 0;
  if (operation->direction != STOWAGE_PACK || operation->is_persistent) return 0;
  if (operation->buffer.envelope != NULL && !is_shared(request)) return 0;
  return NEXT(PMPI_Request_get_status)(request, &is_complete, MPI_STATUS_IGNORE) == MPI_SUCCESS && is_complete;
}

static int began(struct device_operation *operation, int status, const MPI_Request *request) {
  if (status != MPI_SUCCESS) direct_drop(&operation->buffer);
  if (status == MPI_SUCCESS && !is_over(operation, *request)) operation_put(operation, *request);
  else if (status == MPI_SUCCESS && operation->buffer.is_pending) operation_share(operation, *request);
  else operation_free(operation);
  return status;
}

static int starts(__typeof__(MPI_Isend) *next, const struct device_buffer *b, int is_persistent, int peer, int tag,
                  MPI_Comm communicator, MPI_Request *request) {
  struct device_operation *operation = operation_made(b, STOWAGE_PACK, is_persistent);
  if (operation == NULL) return device_raise(communicator, MPI_ERR_NO_MEM);
  if (operation->buffer.is_pending) pending_add(&operation->buffer);
  return began(operation, BEHIND(next(b->given.memory, b->given.count, b->given.type, peer, tag, communicator, request)), request);
}

#define STARTS_SEND(name, is_persistent, buffers)                                                            \
  PASSES(name, device_may_be(),                                                                              \
         (const void *user, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator,          \
          MPI_Request *request),                                                                             \
         (user, count, type, peer, tag, communicator, request)) {                                            \
    struct device_buffer b;                                                                                  \
    if (device_maybe() && is_outermost() && peer != MPI_PROC_NULL && device_takes(user, count, type, &b)) {  \
      b.is_whole = buffers;                                                                                  \
      const int class = staged_send(&b, is_persistent, peer, communicator);                                  \
      if (class != MPI_SUCCESS) return device_raise(communicator, class);                                    \
      return starts(NEXT(name), &b, is_persistent, peer, tag, communicator, request);                        \
    }                                                                                                        \
    return NEXT(name)(user, count, type, peer, tag, communicator, request);                                  \
  }

STARTS_SEND(MPI_Isend, 0, 0)
STARTS_SEND(PMPI_Isend, 0, 0)
STARTS_SEND(MPI_Issend, 0, 0)
STARTS_SEND(PMPI_Issend, 0, 0)
STARTS_SEND(MPI_Irsend, 0, 0)
STARTS_SEND(PMPI_Irsend, 0, 0)
STARTS_SEND(MPI_Ibsend, 0, 1)
STARTS_SEND(PMPI_Ibsend, 0, 1)
STARTS_SEND(MPI_Send_init, 1, 0)
STARTS_SEND(PMPI_Send_init, 1, 0)
STARTS_SEND(MPI_Ssend_init, 1, 0)
STARTS_SEND(PMPI_Ssend_init, 1, 0)
STARTS_SEND(MPI_Rsend_init, 1, 0)
STARTS_SEND(PMPI_Rsend_init, 1, 0)
STARTS_SEND(MPI_Bsend_init, 1, 1)
STARTS_SEND(PMPI_Bsend_init, 1, 1)

static int receives(__typeof__(MPI_Irecv) *next, const struct device_buffer *b, int is_persistent, int peer, int tag,
                    MPI_Comm communicator, MPI_Request *request) {
  struct device_operation *operation = operation_made(b, STOWAGE_UNPACK, is_persistent);
  if (operation == NULL) return device_raise(communicator, MPI_ERR_NO_MEM);
  return began(operation, BEHIND(next(b->given.memory, b->given.count, b->given.type, peer, tag, communicator, request)), request);
}

#define STARTS_RECEIVE(name, is_persistent)                                                                           \
  PASSES(name, device_may_be(),                                                                                       \
         (void *user, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator, MPI_Request *request),  \
         (user, count, type, peer, tag, communicator, request)) {                                                     \
    struct device_buffer b;                                                                                           \
    if (device_maybe() && is_outermost() && peer != MPI_PROC_NULL &&                                                  \
        (device_takes(user, count, type, &b) || direct_host_receive(user, count, type, peer, communicator, &b))) {    \
      const int class = staged_receive(&b, peer, communicator);                                                       \
      if (class != MPI_SUCCESS) return device_raise(communicator, class);                                             \
      return receives(NEXT(name), &b, is_persistent, peer, tag, communicator, request);                               \
    }                                                                                                                 \
    return NEXT(name)(user, count, type, peer, tag, communicator, request);                                           \
  }

STARTS_RECEIVE(MPI_Irecv, 0)
STARTS_RECEIVE(PMPI_Irecv, 0)
STARTS_RECEIVE(MPI_Recv_init, 1)
STARTS_RECEIVE(PMPI_Recv_init, 1)

static int receives_matched(__typeof__(MPI_Imrecv) *next, const struct device_buffer *b, MPI_Message *message, MPI_Request *request) {
  struct device_operation *operation = operation_made(b, STOWAGE_UNPACK, 0);
  if (operation == NULL) return device_raise(PREDEFINED_SELF, MPI_ERR_NO_MEM);
  return began(operation, BEHIND(next(b->given.memory, b->given.count, b->given.type, message, request)), request);
}

#define STARTS_MATCHED(name)                                                                      \
  PASSES(name, device_may_be(),                                                                   \
         (void *user, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),  \
         (user, count, type, message, request)) {                                                 \
    struct device_buffer b;                                                                       \
    if (device_maybe() && is_outermost() &&                                                       \
        (device_takes(user, count, type, &b) ||                                                   \
         direct_host_receive(user, count, type, MPI_ANY_SOURCE, PREDEFINED_WORLD, &b))) {         \
      b.is_whole = 1; /* a message tells of no communicator */                                    \
      const int class = staged_receive(&b, MPI_ANY_SOURCE, PREDEFINED_WORLD);                     \
      if (class != MPI_SUCCESS) return device_raise(PREDEFINED_SELF, class);                      \
      return receives_matched(NEXT(name), &b, message, request);                                  \
    }                                                                                             \
    return NEXT(name)(user, count, type, message, request);                                       \
  }

STARTS_MATCHED(MPI_Imrecv)
STARTS_MATCHED(PMPI_Imrecv)

/* --- Persistent requests: a send is packed whenever it is started --- */

enum { AT_A_TIME = 64 };

static int starting(int count, const MPI_Request requests[]) {
  struct device_buffer *sends[AT_A_TIME];
  size_t begun = 0;
  int class = MPI_SUCCESS;
  for (int i = 0; i < count && class == MPI_SUCCESS; i++) {
    struct device_operation *operation = operation_find(requests[i]);
    if (operation == NULL) continue;
    operation->is_active = 1;
    if (operation->direction == STOWAGE_UNPACK) direct_restart(&operation->buffer);
    if (operation->direction == STOWAGE_PACK) sends[begun++] = &operation->buffer;
    if (begun < AT_A_TIME) continue;
    class = direct_start(sends, begun);
    begun = 0;
  }
  return class == MPI_SUCCESS ? direct_start(sends, begun) : class;
}

static int has_operations(void) { return UNLIKELY(__atomic_load_n(&device_operations, __ATOMIC_RELAXED) != 0) && is_outermost(); }

#define STARTS_ONE(name)                                                    \
  HOOK(int, name)(MPI_Request *request) {                                 \
    const int class = has_operations() ? starting(1, request) : MPI_SUCCESS; \
    if (class != MPI_SUCCESS) return device_raise(PREDEFINED_SELF, class);  \
    return BEHIND(NEXT(name)(request));                                     \
  }

STARTS_ONE(MPI_Start)
STARTS_ONE(PMPI_Start)

#define STARTS_ALL(name)                                                            \
  HOOK(int, name)(int count, MPI_Request requests[]) {                            \
    const int class = has_operations() ? starting(count, requests) : MPI_SUCCESS;   \
    if (class != MPI_SUCCESS) return device_raise(PREDEFINED_SELF, class);          \
    return BEHIND(NEXT(name)(count, requests));                                     \
  }

STARTS_ALL(MPI_Startall)
STARTS_ALL(PMPI_Startall)

/* The MPI still has the staging memory of what is under way: its request is kept, and the program's handle taken. */
static int frees(__typeof__(MPI_Request_free) *next, MPI_Request *request) {
  struct device_operation *operation = operation_take(*request);
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

#define FREES(name)                                                   \
  HOOK(int, name)(MPI_Request *request) {                           \
    if (has_operations()) return frees(NEXT(name), request);          \
    return NEXT(name)(request);                                       \
  }

FREES(MPI_Request_free)
FREES(PMPI_Request_free)
