#include "message.h"

#include "begin.h"
#include "by-host.h"
#include "ipc.h"
#include "next.h"
#include "predefined.h"

#include <limits.h>

int message_is_sent(const struct call *call, struct message *m) {
  if (call->peer == MPI_PROC_NULL || !buffer_takes(call->user, call->count, call->type, &m->buffer)) return 0;
  message_describe(m, call, STOWAGE_PACK);
  return 1;
}

/* Memory of the host, where peers may send offers. */
static int is_on_host(const struct call *call, struct message *m) {
  MPI_Count size = 0;
  if (!peers_are_there() || call->count <= 0 || call->type == PREDEFINED_NO_TYPE ||
      call->communicator == PREDEFINED_NULL)
    return 0;
  if (NEXT(PMPI_Type_size_x)(call->type, &size) != MPI_SUCCESS || size <= 0) return 0;
  m->buffer = buffer_on_host(call->user, call->count, (size_t)(size * call->count), call->type);
  message_describe(m, call, STOWAGE_UNPACK);
  if (!route_ipc_to_host.supports(m) || !gpu_type_of(call->type, &m->buffer.facts)) return 0;
  /* Beside its place it is unpacked by a call that counts bytes in int. */
  if (!m->buffer.facts.is_dense && m->buffer.bytes > INT_MAX) return 0;
  m->route = &route_ipc_to_host;
  return 1;
}

int message_is_received(const struct call *call, struct message *m) {
  if (call->peer == MPI_PROC_NULL) return 0;
  if (!buffer_takes(call->user, call->count, call->type, &m->buffer)) return is_on_host(call, m);
  message_describe(m, call, STOWAGE_UNPACK);
  return 1;
}

/* An offer may come whatever the table of routes says: it is the sender's to choose. */
int message_give(struct message *m) {
  if (!buffer_is_of_device(&m->buffer)) return m->route->give(m) == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_NO_MEM;
  const struct route *past = m->direction == STOWAGE_PACK ? &route_ipc_send : &route_ipc_receive;
  if (m->direction == STOWAGE_UNPACK) ipc_answer(&m->buffer.place);
  if (past->supports(m)) {
    m->route = past;
    const int class = past->give(m);
    if (class != ROUTE_NOT_NOW) return class;
  }
  return by_host_give(m);
}

int message_start(struct message *m) {
  int class = message_give(m);
  if (class != MPI_SUCCESS) return class;
  if ((class = messages_begin(&m, 1)) != MPI_SUCCESS) message_release(m);
  return class;
}

int messages_begin(struct message *const messages[], size_t count) {
  int class = MPI_SUCCESS;
  for (size_t i = 0; i < count; i++)
    if (messages[i]->direction == STOWAGE_UNPACK && buffer_is_of_device(&messages[i]->buffer))
      ipc_answer(&messages[i]->buffer.place);
  for (size_t at = 0; at < count && class == MPI_SUCCESS; at += MOST_MOVES)
    class = begin_all(messages + at, count - at < MOST_MOVES ? count - at : MOST_MOVES);
  return class;
}

int message_sent(struct message *m, int is_well) { return route_sent(m, is_well); }

/* What was offered and cannot be fetched is its message's error; the others arrive all the same. */
static int arrive(struct message *const messages[], const size_t bytes[], size_t count) {
  struct gpu_move moves[MOST_MOVES];
  size_t some = 0;
  int class = MPI_SUCCESS;
  for (size_t i = 0; i < count; i++) {
    const int own = messages[i]->route->arrived(messages[i], bytes[i], &moves[some]);
    some += own == MPI_SUCCESS;
    if (class == MPI_SUCCESS) class = own;
  }
  const int moved = moves_run(STOWAGE_UNPACK, moves, some);
  for (size_t i = 0; i < count; i++)
    if (messages[i]->route->taken != NULL) messages[i]->route->taken(messages[i]);
  return class == MPI_SUCCESS ? moved : class;
}

int messages_arrived(struct message *const messages[], const size_t bytes[], size_t count) {
  int class = MPI_SUCCESS;
  for (size_t at = 0; at < count; at += MOST_MOVES) {
    const int own = arrive(messages + at, bytes + at, count - at < MOST_MOVES ? count - at : MOST_MOVES);
    if (class == MPI_SUCCESS) class = own;
  }
  return class;
}

void message_release(struct message *m) { m->route->release(m); }

static MPI_Datatype byte_type(void) {
  static MPI_Datatype known;
  static int is_known;
  if (!__atomic_load_n(&is_known, __ATOMIC_ACQUIRE)) {
    known = PREDEFINED_BYTE;
    __atomic_store_n(&is_known, 1, __ATOMIC_RELEASE);
  }
  return known;
}

size_t bytes_told(const MPI_Status *status) {
  MPI_Count bytes = 0;
  if (NEXT(PMPI_Get_elements_x)(status, byte_type(), &bytes) != MPI_SUCCESS || bytes < 0) return 0;
  return (size_t)bytes;
}

size_t bytes_of(const MPI_Status *status) {
  int is_cancelled = 0;
  if (NEXT(PMPI_Test_cancelled)(status, &is_cancelled) != MPI_SUCCESS || is_cancelled) return 0;
  return bytes_told(status);
}
