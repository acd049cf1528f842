#include "context.h"

#include "staging.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* CUpointer_attribute, CUmemorytype. */
enum { ATTRIBUTE_CONTEXT = 1, ATTRIBUTE_MEMORY_TYPE = 2, ATTRIBUTE_IS_MANAGED = 8, ATTRIBUTE_DEVICE_ORDINAL = 9 };
enum { MEMORY_DEVICE = 2 };
/* CU_STREAM_DEFAULT */
enum { STREAM_BLOCKING = 0 };

int device_holds(const void *pointer, struct device_place *place) {
  const int attributes[] = {ATTRIBUTE_MEMORY_TYPE, ATTRIBUTE_IS_MANAGED, ATTRIBUTE_CONTEXT, ATTRIBUTE_DEVICE_ORDINAL};
  unsigned type = 0, is_managed = 0;
  *place = (struct device_place){NULL, -1};
  void *values[] = {&type, &is_managed, &place->context, &place->ordinal};
  const stowage_device_address address = (stowage_device_address)(uintptr_t)pointer;
  if (address == 0 || stowage_cuda()->cuPointerGetAttributes(4, attributes, values, address) != 0) return 0;
  return type == MEMORY_DEVICE && (is_managed & 1) == 0;
}

static pthread_mutex_t entered = PTHREAD_MUTEX_INITIALIZER;
static struct device_context *contexts;
static int pushed;

/* Memory of a pool belongs to a device, not to a context: its primary one reaches it. */
static int context_of(const struct device_place *place, void **context) {
  static void *primary[64];
  *context = place->context;
  if (*context != NULL) return 0;
  if (place->ordinal < 0 || place->ordinal >= 64) return STOWAGE_CUDA_ERROR_FIRST;
  const int result = primary[place->ordinal] != NULL ? 0 : stowage_cuda()->cuDevicePrimaryCtxRetain(&primary[place->ordinal], place->ordinal);
  *context = primary[place->ordinal];
  return result;
}

static unsigned long long id_of(void *context) {
  unsigned long long id = 0;
  if (stowage_cuda()->cuCtxGetId != NULL) stowage_cuda()->cuCtxGetId(context, &id);
  return id;
}

/* Another context than before may have the same handle. What the old one had is gone with it. */
static struct device_context *known(void *context) {
  const unsigned long long id = id_of(context);
  struct device_context *known = contexts;
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
    staging_forget(known);
  }
  known->id = id;
  return known;
}

static int make_current(void *context) {
  void *current = NULL;
  pushed = 0;
  const int result = stowage_cuda()->cuCtxGetCurrent(&current);
  if (result != 0 || current == context) return result;
  pushed = 1;
  return stowage_cuda()->cuCtxPushCurrent_v2(context);
}

struct device_context *device_enter(const struct device_place *place, int *result) {
  struct device_context *context = NULL;
  void *handle = NULL;
  pthread_mutex_lock(&entered);
  *result = context_of(place, &handle);
  if (*result == 0) *result = make_current(handle);
  if (*result != 0) {
    pthread_mutex_unlock(&entered);
    return NULL;
  }
  context = known(handle);
  if (context == NULL) *result = STOWAGE_CUDA_OUT_OF_MEMORY;
  else if (context->stream == NULL) *result = stowage_cuda()->cuStreamCreate(&context->stream, STREAM_BLOCKING);
  if (*result == 0) return context;
  device_leave(context);
  return NULL;
}

void device_leave(struct device_context *context) {
  void *ours;
  (void)context;
  if (pushed) stowage_cuda()->cuCtxPopCurrent_v2(&ours);
  pthread_mutex_unlock(&entered);
}
