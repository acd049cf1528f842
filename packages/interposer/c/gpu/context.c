#include "context.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t entered = PTHREAD_MUTEX_INITIALIZER;
static struct gpu_context *contexts;
static int is_pushed;

enum { MOST_DEVICES = 64 };

/* Memory of a pool belongs to a device, not to a context: its primary one reaches it. */
static int handle_of(const struct gpu_place *place, void **context) {
  static void *primary[MOST_DEVICES];
  *context = place->context;
  if (*context != NULL) return 0;
  if (place->ordinal < 0 || place->ordinal >= MOST_DEVICES) return DRIVER_FAILED;
  const int result = primary[place->ordinal] != NULL ? 0 : driver_primary(place->ordinal, &primary[place->ordinal]);
  *context = primary[place->ordinal];
  return result;
}

/* Another context than before may have the same handle. What the old one had is gone with it. */
static struct gpu_context *known(void *context) {
  const unsigned long long id = driver_id_of(context);
  struct gpu_context *known = contexts;
  while (known != NULL && known->context != context) known = known->next;
  if (known == NULL) {
    if ((known = calloc(1, sizeof *known)) == NULL || (known->gpu = stowage_gpu_open()) == NULL) {
      free(known);
      return NULL;
    }
    known->context = context;
    known->next = contexts;
    contexts = known;
  } else if (known->id != id) {
    stowage_gpu_forget(known->gpu);
    known->stream = NULL;
    known->scratch = 0;
  }
  if (known->id != id) known->id = id;
  return known;
}

struct gpu_context *context_enter(const struct gpu_place *place, int *result) {
  struct gpu_context *context = NULL;
  void *handle = NULL;
  pthread_mutex_lock(&entered);
  is_pushed = 0;
  *result = handle_of(place, &handle);
  if (*result == 0) *result = driver_push(handle, &is_pushed);
  if (*result != 0) {
    pthread_mutex_unlock(&entered);
    return NULL;
  }
  context = known(handle);
  if (context == NULL) *result = DRIVER_OUT_OF_MEMORY;
  else if (context->stream == NULL) *result = driver_make_stream(&context->stream);
  if (*result == 0) return context;
  context_leave();
  return NULL;
}

void context_leave(void) {
  if (is_pushed) driver_pop();
  pthread_mutex_unlock(&entered);
}

int context_synchronise(const struct gpu_place *place) {
  int result;
  struct gpu_context *context = context_enter(place, &result);
  if (context == NULL) return result;
  result = driver_synchronise(context->stream);
  context_leave();
  return result;
}

int context_read(const struct gpu_place *place, const struct gpu_context *of, unsigned long long id,
                 gpu_address address, void *to, size_t bytes) {
  int result;
  struct gpu_context *context = context_enter(place, &result);
  if (context == NULL) return result;
  if (context != of || context->id != id) result = DRIVER_FAILED;
  if (result == 0) result = driver_copy(STOWAGE_PACK, address, to, bytes, context->stream);
  const int done = driver_synchronise(context->stream);
  context_leave();
  return result == 0 ? done : result;
}
