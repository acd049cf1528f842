#define _GNU_SOURCE 1
#include "watch.h"

#include "driver.h"
#include "mode.h"
#include "receives.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

/* CUDA's runtime loads the driver at its first call, which may come at any time. The loader keeps libraries in a list,
 * and appends each new one: behind its last element lies NULL until then. We hold the last one, so that its element
 * stays. */
static void *const never = NULL;
static void *const always = (void *)&always;
void *const *gpu_watch = &never;
void (*gpu_watch_moved)(void *const *word) = NULL;

/* Calls with buffers of the host are looked at, too. */
static int is_always_asked(void) { return receives_watcher != NULL || mode_chosen == MODE_STAGED; }

static void watch(void *const *place) {
  __atomic_store_n(&gpu_watch, place, __ATOMIC_RELEASE);
  if (gpu_watch_moved != NULL) gpu_watch_moved(is_always_asked() ? &always : place);
}

static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;
static void *held;

struct last {
  struct link_map *map;
  char name[4096];
};

/* The loader's lock is held while this is called: the list stands still. Once is enough. */
static int find_last(struct dl_phdr_info *info, size_t size, void *into) {
  (void)info, (void)size;
  struct last *last = into;
  last->map = _r_debug.r_map;
  while (last->map != NULL && last->map->l_next != NULL) last->map = last->map->l_next;
  strncpy(last->name, last->map == NULL || last->map->l_name == NULL ? "" : last->map->l_name, sizeof last->name - 1);
  return 1;
}

/* Libraries without a name are the program and the kernel's own, which stay. */
static void watch_last(void) {
  struct last last = {0};
  dl_iterate_phdr(find_last, &last);
  void *before = held;
  held = last.name[0] == '\0' ? NULL : dlopen(last.name, RTLD_LAZY | RTLD_NOLOAD);
  if (last.map != NULL) watch((void *const *)&last.map->l_next);
  if (before != NULL) dlclose(before);
}

int gpu_was_loaded(void) {
  if (__atomic_load_n(&gpu_watch, __ATOMIC_RELAXED) == &always) return 1;
  pthread_mutex_lock(&looking);
  if (gpu_watch != &always) {
    watch_last();
    if (driver_is_loaded()) watch(&always);
  }
  const int loaded = gpu_watch == &always;
  pthread_mutex_unlock(&looking);
  return loaded;
}

void gpu_watch_start(void) { gpu_was_loaded(); }

void gpu_watch_stop(void) {
  pthread_mutex_lock(&looking);
  watch(&never);
  if (held != NULL) dlclose(held);
  held = NULL;
  pthread_mutex_unlock(&looking);
}
