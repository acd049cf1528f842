#define _GNU_SOURCE 1
#include "operation.h"

#include "below.h"
#include "failure.h"
#include "handle-table.h"
#include "mode.h"
#include "next.h"
#include "predefined.h"
#include "say.h"

#include <pthread.h>
#include <stdlib.h>

size_t operation_count = 0;
static struct handle_table operations = HANDLE_TABLE_EMPTY;
static struct operation *abandoned;
static pthread_mutex_t abandoning = PTHREAD_MUTEX_INITIALIZER;

/* What is sent at once is packed by its own handle, and what has code by that. */
static int keep_type(struct operation *o) {
  struct message *m = &o->message;
  if ((m->code.kernel != NULL && !mode_verifies()) || m->buffer.type == PREDEFINED_NO_TYPE) return 1;
  if (m->direction == STOWAGE_PACK && !m->is_persistent) return 1;
  o->is_kept = types_keep(m->buffer.type, &o->kept_type);
  if (o->is_kept) m->buffer.type = o->kept_type;
  return o->is_kept;
}

int operation_make(const struct message *m, struct operation **made) {
  struct operation *o = calloc(1, sizeof *o);
  int class = MPI_ERR_NO_MEM;
  operations_sweep();
  *made = o;
  if (o == NULL) return class;
  o->message = *m;
  o->is_active = !m->is_persistent;
  message_call_begins(&o->message);
  if (keep_type(o)) class = m->is_persistent ? message_give(&o->message) : message_start(&o->message);
  if (class == MPI_SUCCESS) return class;
  if (o->is_kept) types_drop(&o->kept_type);
  free(o);
  return class;
}

void operation_free(struct operation *o) {
  message_release(&o->message);
  if (o->is_kept) types_drop(&o->kept_type);
  free(o);
}

enum { AT_A_TIME = 64 };

/* What is not there any more since the operation was made cannot be packed or unpacked. */
static int is_gone(const struct gpu_buffer *b) { return buffer_is_of_device(b) && !buffer_is_there(b); }

static int start(struct message *const sends[], size_t count) {
  int class = MPI_SUCCESS;
  for (size_t i = 0; i < count && class == MPI_SUCCESS; i++)
    if (is_gone(&sends[i]->buffer)) class = gpu_is_gone();
  if (class == MPI_SUCCESS) class = messages_begin(sends, count);
  for (size_t i = 0; i < count && class != MPI_SUCCESS; i++) message_sent(sends[i], 0);
  return class;
}

int operations_start(int count, const MPI_Request requests[]) {
  struct message *sends[AT_A_TIME];
  size_t begun = 0;
  int class = MPI_SUCCESS;
  for (int i = 0; i < count && class == MPI_SUCCESS; i++) {
    struct operation *o = operation_find(requests[i]);
    if (o == NULL) continue;
    struct message *m = &o->message;
    o->is_active = 1;
    if (m->direction == STOWAGE_UNPACK) class = messages_begin(&m, 1);
    else sends[begun++] = m;
    if (begun < AT_A_TIME) continue;
    class = start(sends, begun);
    begun = 0;
  }
  return class == MPI_SUCCESS ? start(sends, begun) : class;
}

/* Sends that the MPI is done with and the device is not. */
enum { MOST_SHARED = 64 };
static struct operation *shared;
static size_t shared_count;
static MPI_Request shared_handle;
static pthread_mutex_t sharing = PTHREAD_MUTEX_INITIALIZER;

static void complete_shared(void) {
  pthread_mutex_lock(&sharing);
  struct operation *all = shared;
  shared = NULL;
  __atomic_fetch_sub(&operation_count, shared_count, __ATOMIC_RELAXED);
  shared_count = 0;
  pthread_mutex_unlock(&sharing);
  while (all != NULL) {
    struct operation *next = all->next;
    operation_free(all);
    all = next;
  }
}

void operation_share(struct operation *operation, MPI_Request request) {
  if (__atomic_load_n(&shared_count, __ATOMIC_RELAXED) >= MOST_SHARED) complete_shared();
  pthread_mutex_lock(&sharing);
  operation->next = shared;
  shared = operation;
  shared_handle = request;
  __atomic_fetch_add(&shared_count, 1, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&sharing);
  __atomic_fetch_add(&operation_count, 1, __ATOMIC_RELAXED);
}

void operations_share_over(int count, const MPI_Request requests[]) {
  if (__atomic_load_n(&shared_count, __ATOMIC_RELAXED) == 0) return;
  for (int i = 0; i < count; i++)
    if (requests[i] == shared_handle) return complete_shared();
}

void operation_put(struct operation *operation, MPI_Request request) {
  operation->request = request;
  if (!handle_put(&operations, (uintptr_t)request, operation)) end_without_memory("a message's request");
  __atomic_fetch_add(&operation_count, 1, __ATOMIC_RELAXED);
}

/* What Open MPI gives for sends that were over before they had a request. */
static int is_shared(MPI_Request request) {
  return mpi_below() == FAMILY_OPEN_MPI ? request == (MPI_Request)(uintptr_t)shared_object("ompi_request_empty")
                                        : request != PREDEFINED_NO_REQUEST;
}

/* An MPI may give all sends that are over at once one handle: nothing is to be waited for. A placeholder has a handle
 * of its own. */
static int was_over(const struct message *m, MPI_Request request) {
  int is_complete = 0;
  if (m->direction != STOWAGE_PACK || m->is_persistent) return 0;
  if (m->given.placeholder != NULL && !is_shared(request)) return 0;
  return NEXT(PMPI_Request_get_status)(request, &is_complete, MPI_STATUS_IGNORE) == MPI_SUCCESS && is_complete;
}

/* What stands for its bytes may still be packed when the MPI is done with it. */
int operation_began(struct operation *operation, int status, const MPI_Request *request) {
  const struct message *m = &operation->message;
  message_call_ends(&operation->message);
  if (status != MPI_SUCCESS && m->direction == STOWAGE_PACK) message_sent(&operation->message, 0);
  if (status == MPI_SUCCESS && !was_over(m, *request)) operation_put(operation, *request);
  else if (status == MPI_SUCCESS && m->given.placeholder != NULL) operation_share(operation, *request);
  else operation_free(operation);
  return status;
}

int operation_goes_on(struct operation *operation, int status, MPI_Request request) {
  message_call_ends(&operation->message);
  if (status == MPI_SUCCESS) operation_put(operation, request);
  else operation_free(operation);
  return status;
}

struct operation *operation_find(MPI_Request request) { return handle_find(&operations, (uintptr_t)request); }

struct operation *operation_take(MPI_Request request) {
  struct operation *taken = handle_drop(&operations, (uintptr_t)request);
  if (taken != NULL) __atomic_fetch_sub(&operation_count, 1, __ATOMIC_RELAXED);
  return taken;
}

static int is_cancelled(const MPI_Status *status) {
  int is = 0;
  return NEXT(PMPI_Test_cancelled)(status, &is) == MPI_SUCCESS && is;
}

/* Of a message that was not cancelled. */
static size_t bytes_came(const struct message *m, const struct completed *completed) {
  return m->is_whole ? m->buffer.bytes : bytes_told(completed->status);
}

/* Receives that are not unpacked yet, and the bytes of each: 0 of one that was lost. */
static int finish_some(const struct completed completed[], size_t count) {
  struct message *messages[AT_A_TIME];
  size_t bytes[AT_A_TIME], received = 0;
  int class = MPI_SUCCESS;
  for (size_t i = 0; i < count; i++) {
    struct operation *o = completed[i].operation;
    const int is_well = completed[i].is_well && (o->message.is_never_cancelled || !is_cancelled(completed[i].status));
    int own = MPI_SUCCESS;
    if (o->message.direction == STOWAGE_PACK) {
      own = message_sent(&o->message, is_well) == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_OTHER;
    } else if (!o->is_unpacked && o->is_active) {
      const size_t came = is_well ? bytes_came(&o->message, &completed[i]) : 0;
      const int is_lost = came > 0 && is_gone(&o->message.buffer);
      if (is_lost) own = gpu_is_gone();
      messages[received] = &o->message;
      bytes[received++] = is_lost ? 0 : came;
    }
    if (class == MPI_SUCCESS) class = own;
  }
  const int arrived = messages_arrived(messages, bytes, received);
  return class == MPI_SUCCESS ? arrived : class;
}

int operation_is_told(struct operation *o, const MPI_Status *status) {
  if (!o->is_active || o->is_unpacked) return MPI_SUCCESS;
  const struct completed completed = {o, status, 1};
  const int class = finish_some(&completed, 1);
  o->is_unpacked = o->message.direction == STOWAGE_UNPACK;
  return class;
}

static void settle(struct operation *o) {
  message_call_ends(&o->message);
  o->is_unpacked = 0;
  o->is_active = 0;
  if (o->message.is_persistent) operation_put(o, o->request);
  else operation_free(o);
}

int operations_finish(const struct completed completed[], size_t count) {
  int class = MPI_SUCCESS;
  for (size_t at = 0; at < count; at += AT_A_TIME) {
    const size_t some = count - at < AT_A_TIME ? count - at : AT_A_TIME;
    const int now = finish_some(completed + at, some);
    if (class == MPI_SUCCESS) class = now;
    for (size_t i = at; i < at + some; i++) settle(completed[i].operation);
  }
  return class;
}

static void keep_abandoned(struct operation *operation) {
  pthread_mutex_lock(&abandoning);
  operation->next = abandoned;
  abandoned = operation;
  pthread_mutex_unlock(&abandoning);
}

void operation_abandon(struct operation *operation, MPI_Request request) {
  operation->request = request;
  operation->message.is_persistent = 0;
  keep_abandoned(operation);
  __atomic_fetch_add(&operation_count, 1, __ATOMIC_RELAXED);
}

static int is_over(struct operation *operation) {
  MPI_Status status;
  int is_complete = 0;
  const int code = NEXT(PMPI_Test)(&operation->request, &is_complete, &status);
  if (code == MPI_SUCCESS && !is_complete) return 0;
  const struct completed completed = {operation, &status, code == MPI_SUCCESS};
  operations_finish(&completed, 1);
  __atomic_fetch_sub(&operation_count, 1, __ATOMIC_RELAXED);
  return 1;
}

void operations_sweep(void) {
  if (__atomic_load_n(&abandoned, __ATOMIC_RELAXED) == NULL) return;
  pthread_mutex_lock(&abandoning);
  struct operation *all = abandoned;
  abandoned = NULL;
  pthread_mutex_unlock(&abandoning);
  while (all != NULL) {
    struct operation *next = all->next;
    if (!is_over(all)) keep_abandoned(all);
    all = next;
  }
}
