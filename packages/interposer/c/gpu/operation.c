#include "operation.h"

#include "route-ipc.h"
#include "handle-table.h"
#include "next.h"
#include "predefined.h"

#include <pthread.h>
#include <stdlib.h>

size_t device_operations = 0;
static struct handle_table operations = HANDLE_TABLE_EMPTY;
static struct device_operation *abandoned;
static pthread_mutex_t abandoning = PTHREAD_MUTEX_INITIALIZER;

struct device_operation *operation_made(const struct device_buffer *buffer, enum stowage_direction direction, int is_persistent) {
  struct device_operation *made = calloc(1, sizeof *made);
  struct device_buffer own = *buffer;
  const int is_packed = direction == STOWAGE_PACK && !is_persistent && !buffer->is_pending;
  if (made != NULL && (is_packed || device_keep_type(&own) == MPI_SUCCESS)) {
    made->buffer = own;
    made->buffer.is_kept = 1;
    made->direction = direction;
    made->is_persistent = is_persistent;
    made->is_active = !is_persistent;
    return made;
  }
  free(made);
  device_release(&own);
  return NULL;
}

void operation_free(struct device_operation *operation) {
  device_release(&operation->buffer);
  free(operation);
}

/* Sends that the MPI is done with and the device is not. */
enum { MOST_SHARED = 64 };
static struct device_operation *shared;
static size_t shared_count;
static MPI_Request shared_handle;
static pthread_mutex_t sharing = PTHREAD_MUTEX_INITIALIZER;

static void complete_shared(void) {
  pthread_mutex_lock(&sharing);
  struct device_operation *all = shared;
  shared = NULL;
  __atomic_fetch_sub(&device_operations, shared_count, __ATOMIC_RELAXED);
  shared_count = 0;
  pthread_mutex_unlock(&sharing);
  while (all != NULL) {
    struct device_operation *next = all->next;
    operation_free(all);
    all = next;
  }
}

void operation_share(struct device_operation *operation, MPI_Request request) {
  if (__atomic_load_n(&shared_count, __ATOMIC_RELAXED) >= MOST_SHARED) complete_shared();
  pthread_mutex_lock(&sharing);
  operation->next = shared;
  shared = operation;
  shared_handle = request;
  __atomic_fetch_add(&shared_count, 1, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&sharing);
  __atomic_fetch_add(&device_operations, 1, __ATOMIC_RELAXED);
}

void operations_share_over(int count, const MPI_Request requests[]) {
  if (__atomic_load_n(&shared_count, __ATOMIC_RELAXED) == 0) return;
  for (int i = 0; i < count; i++)
    if (requests[i] == shared_handle) return complete_shared();
}

void operation_put(struct device_operation *operation, MPI_Request request) {
  operation->request = request;
  if (!handle_put(&operations, (uintptr_t)request, operation)) abort(); /* the message could never be unpacked */
  __atomic_fetch_add(&device_operations, 1, __ATOMIC_RELAXED);
}

struct device_operation *operation_find(MPI_Request request) { return handle_find(&operations, (uintptr_t)request); }

struct device_operation *operation_take(MPI_Request request) {
  struct device_operation *taken = handle_drop(&operations, (uintptr_t)request);
  if (taken != NULL) __atomic_fetch_sub(&device_operations, 1, __ATOMIC_RELAXED);
  return taken;
}

static MPI_Datatype byte_type(void) {
  static MPI_Datatype known;
  static int is_known;
  if (!__atomic_load_n(&is_known, __ATOMIC_ACQUIRE)) {
    known = PREDEFINED_BYTE;
    __atomic_store_n(&is_known, 1, __ATOMIC_RELEASE);
  }
  return known;
}

size_t bytes_of(const MPI_Status *status) {
  MPI_Count bytes = 0;
  int is_cancelled = 0;
  if (NEXT(PMPI_Test_cancelled)(status, &is_cancelled) != MPI_SUCCESS || is_cancelled) return 0;
  if (NEXT(PMPI_Get_elements_x)(status, byte_type(), &bytes) != MPI_SUCCESS || bytes < 0) return 0;
  return (size_t)bytes;
}

enum { AT_A_TIME = 64 };

static int is_cancelled(const MPI_Status *status) {
  int is = 0;
  return NEXT(PMPI_Test_cancelled)(status, &is) == MPI_SUCCESS && is;
}

/* Its message is lost: a sender's was never offered, a receiver's is not taken. */
static void drop(struct device_operation *operation) {
  if (operation->direction == STOWAGE_PACK) direct_drop(&operation->buffer);
  else direct_end(&operation->buffer);
}

static int unpack_all(const struct completed completed[], size_t count) {
  struct device_buffer *buffers[AT_A_TIME];
  size_t bytes[AT_A_TIME], received = 0;
  int sent = MPI_SUCCESS;
  for (size_t i = 0; i < count; i++) {
    struct device_operation *operation = completed[i].operation;
    if (!completed[i].is_well || is_cancelled(completed[i].status)) drop(operation);
    if (operation->direction == STOWAGE_PACK && direct_sent(&operation->buffer) != MPI_SUCCESS) sent = MPI_ERR_OTHER;
    if (operation->direction == STOWAGE_PACK || !completed[i].is_well || operation->is_unpacked || !operation->is_active) continue;
    buffers[received] = &operation->buffer;
    bytes[received++] = bytes_of(completed[i].status);
  }
  const int class = received == 0 ? MPI_SUCCESS : device_unpack(buffers, bytes, received);
  return sent == MPI_SUCCESS ? class : sent;
}

static void settle(struct device_operation *operation) {
  operation->is_unpacked = 0;
  operation->is_active = 0;
  if (operation->is_persistent) operation_put(operation, operation->request);
  else operation_free(operation);
}

int operations_finish(const struct completed completed[], size_t count) {
  int class = MPI_SUCCESS;
  for (size_t at = 0; at < count; at += AT_A_TIME) {
    const size_t some = count - at < AT_A_TIME ? count - at : AT_A_TIME;
    const int now = unpack_all(completed + at, some);
    if (class == MPI_SUCCESS) class = now;
    for (size_t i = at; i < at + some; i++) settle(completed[i].operation);
  }
  return class;
}

void operation_abandon(struct device_operation *operation, MPI_Request request) {
  operation->request = request;
  operation->is_persistent = 0;
  pthread_mutex_lock(&abandoning);
  operation->next = abandoned;
  abandoned = operation;
  pthread_mutex_unlock(&abandoning);
}

static int is_over(struct device_operation *operation) {
  MPI_Status status;
  int is_complete = 0;
  const int code = NEXT(PMPI_Test)(&operation->request, &is_complete, &status);
  if (code == MPI_SUCCESS && !is_complete) return 0;
  const struct completed completed = {operation, &status, code == MPI_SUCCESS};
  operations_finish(&completed, 1);
  return 1;
}

void operations_sweep(void) {
  if (__atomic_load_n(&abandoned, __ATOMIC_RELAXED) == NULL) return;
  pthread_mutex_lock(&abandoning);
  struct device_operation *all = abandoned;
  abandoned = NULL;
  pthread_mutex_unlock(&abandoning);
  while (all != NULL) {
    struct device_operation *next = all->next;
    if (!is_over(all)) operation_abandon(all, all->request);
    all = next;
  }
}
