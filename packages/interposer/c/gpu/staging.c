#define _GNU_SOURCE 1
#include "staging.h"

#include "failure.h"
#include "say.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LEAST_CLASS = 12 };

static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;

/* The class of a buffer of 2^class bytes that holds so many. */
static unsigned class_of(size_t bytes) {
  unsigned class = LEAST_CLASS;
  while (class + 1 < STAGING_CLASSES && (size_t)1 << class < bytes) class++;
  return class;
}

/* The context that it was made for is gone: so is what the driver knew of it. */
static void drop(struct gpu_staging *staging) {
  munmap(staging->memory, staging->bytes);
  free(staging);
}

static struct gpu_staging *taken(struct gpu_context *context, unsigned class) {
  struct gpu_staging *staging;
  pthread_mutex_lock(&lists);
  while ((staging = context->free[class]) != NULL) {
    context->free[class] = staging->next;
    if (staging->id == context->id) break;
    drop(staging);
  }
  pthread_mutex_unlock(&lists);
  return staging;
}

static struct gpu_staging *made(struct gpu_context *context, size_t bytes, int *result) {
  struct gpu_staging *staging = calloc(1, sizeof *staging);
  *result = DRIVER_OUT_OF_MEMORY;
  if (staging == NULL) return NULL;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    *staging = (struct gpu_staging){.memory = memory, .bytes = bytes, .of = context, .id = context->id};
    const int known = driver_pin(memory, bytes, &staging->address);
    if (known != 0)
      SAY_ONCE(
          "pinned memory: expected the driver to take %zu bytes, got result %d: kernels reach them by the device's own",
          bytes, known);
    *result = 0;
    return staging;
  }
  free(staging);
  return NULL;
}

struct gpu_staging *staging_take(struct gpu_context *context, size_t bytes, int *result) {
  const unsigned class = class_of(bytes);
  *result = 0;
  struct gpu_staging *staging = taken(context, class);
  if (staging != NULL) return staging;
  if ((size_t)1 << class >= bytes) return made(context, (size_t)1 << class, result);
  *result = DRIVER_OUT_OF_MEMORY;
  return NULL;
}

int staging_take_at(const struct gpu_place *place, size_t bytes, struct gpu_staging **staging) {
  int result;
  struct gpu_context *context = context_enter(place, &result);
  *staging = NULL;
  if (context == NULL) return gpu_failed("context of a device buffer", result);
  *staging = staging_take(context, bytes, &result);
  context_leave();
  return *staging != NULL ? MPI_SUCCESS : gpu_failed("pinned memory for a device buffer", result);
}

void staging_give(struct gpu_staging *staging) {
  if (staging == NULL) return;
  pthread_mutex_lock(&lists);
  struct gpu_staging **list = &staging->of->free[class_of(staging->bytes)];
  const int is_current = staging->id == staging->of->id;
  if (is_current) {
    staging->next = *list;
    *list = staging;
  }
  pthread_mutex_unlock(&lists);
  if (!is_current) drop(staging);
}
