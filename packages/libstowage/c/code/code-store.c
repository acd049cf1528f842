#define _GNU_SOURCE 1
#include "code-store.h"

#include "cache.h"
#include "client.h"
#include "clock.h"
#include "code-entry.h"
#include "say.h"

#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A program that makes new types without end must not fill the memory: types beyond these have no code. */
enum { MOST_TYPES = 65536 };
/* Those that fill a page. */
enum { FEWEST_BUCKETS = 512 };
static const size_t MOST_BYTES = (size_t)256 << 20;
static const int64_t LOOK_EVERY_NS = 1000000, NS_OF_MS = 1000000;

struct code_store {
  pthread_mutex_t lock;
  struct code_cache cache;
  struct service_client client;
  atomic_int_fast64_t next_look_ns;
  size_t types, bytes, more;
  size_t buckets;
  /* Linear hashing (Litwin, VLDB 1980): as many as there are types. The kernel makes pages of them when they are first
   * touched, which takes longer than all else that a miss does here. */
  struct stowage_code *bucket[MOST_TYPES];
};

struct code_store *code_store_new(const char *folders, const char *version, size_t more) {
  struct code_store *store = calloc(1, sizeof *store);
  if (store == NULL) return NULL;
  pthread_mutex_init(&store->lock, NULL);
  store->more = more;
  store->buckets = FEWEST_BUCKETS;
  client_init(&store->client);
  cache_open(&store->cache, folders, version);
  return store;
}

void code_store_free(struct code_store *store) {
  if (store == NULL) return;
  client_close(&store->client);
  for (size_t i = 0; i < store->buckets; i++)
    for (struct stowage_code *entry = store->bucket[i], *next; entry != NULL; entry = next) {
      next = entry->next;
      stowage_unload((stowage_kernel *)(uintptr_t)entry->kernel);
      free(entry);
    }
  cache_close(&store->cache);
  pthread_mutex_destroy(&store->lock);
  free(store);
}

int code_store_has_level(const struct code_store *store) { return cache_variant(&store->cache) != NULL; }

void code_store_join(struct code_store *store, const char *service) {
  pthread_mutex_lock(&store->lock);
  if (code_store_has_level(store)) client_open(&store->client, service);
  pthread_mutex_unlock(&store->lock);
}

static struct stowage_code **bucket_at(struct code_store *store, size_t hash) {
  size_t span = FEWEST_BUCKETS;
  while (span < store->buckets) span *= 2;
  const size_t at = hash & (span - 1);
  return &store->bucket[at < store->buckets ? at : at & (span / 2 - 1)];
}

static struct stowage_code **bucket_of(struct code_store *store, const uint8_t key[KEY_BYTES]) {
  return bucket_at(store, (size_t)key[0] | (size_t)key[1] << 8);
}

/* One bucket more, with what belongs there of the one that it was part of. */
static void add_bucket(struct code_store *store) {
  struct stowage_code **part = bucket_at(store, store->buckets), **added = &store->bucket[store->buckets++];
  struct stowage_code **part_end = part, **added_end = added;
  for (struct stowage_code *entry = *part; entry != NULL; entry = entry->next) {
    struct stowage_code ***end = bucket_of(store, entry->key) == added ? &added_end : &part_end;
    **end = entry;
    *end = &entry->next;
  }
  *part_end = *added_end = NULL;
}

static struct stowage_code *known(struct code_store *store, const uint8_t key[KEY_BYTES], const void *description,
                                  size_t length, int is_device) {
  for (struct stowage_code *entry = *bucket_of(store, key); entry != NULL; entry = entry->next)
    if (entry->is_device == is_device && memcmp(entry->key, key, KEY_BYTES) == 0 && entry->length == length &&
        memcmp(entry->description, description, length) == 0)
      return entry;
  return NULL;
}

static void settle(struct stowage_code *entry, const stowage_kernel *kernel) {
  atomic_store_explicit(&entry->kernel, kernel, memory_order_release);
  atomic_store_explicit(&entry->state, kernel != NULL ? CODE_READY : CODE_NONE, memory_order_release);
}

/* The service has written a file, or cannot. Two types may have one key: whichever the file is of takes it. */
static void answered(void *context, const uint8_t key[KEY_BYTES], int is_stored) {
  struct code_store *store = context;
  for (struct stowage_code *entry = *bucket_of(store, key); entry != NULL; entry = entry->next)
    if (memcmp(entry->key, key, KEY_BYTES) == 0 && entry->state == CODE_ASKED)
      settle(entry, is_stored ? cache_load(&store->cache, entry) : NULL);
}

static void forget_questions(struct code_store *store) {
  for (size_t i = 0; i < store->buckets; i++)
    for (struct stowage_code *entry = store->bucket[i]; entry != NULL; entry = entry->next)
      if (entry->state == CODE_ASKED) settle(entry, NULL);
}

void code_store_leave(struct code_store *store) {
  pthread_mutex_lock(&store->lock);
  client_close(&store->client);
  forget_questions(store);
  pthread_mutex_unlock(&store->lock);
}

static void look(struct code_store *store) {
  if (client_look(&store->client, answered, store)) return;
  SAY_ONCE("the compile service is gone: datatypes without code stay native");
  forget_questions(store);
}

static struct stowage_code *made(struct code_store *store, const uint8_t key[KEY_BYTES], const void *description,
                                 size_t length, int is_device) {
  const size_t alignment = _Alignof(max_align_t);
  if (store->types >= MOST_TYPES || length > MOST_BYTES - store->bytes) {
    SAY_ONCE("more datatypes than are kept: further ones stay native");
    return NULL;
  }
  const size_t behind = (sizeof(struct stowage_code) + length + alignment - 1) / alignment * alignment;
  struct stowage_code *entry = calloc(1, behind + store->more);
  if (entry == NULL) return NULL;
  entry->store = store;
  entry->own = (unsigned char *)entry + behind;
  memcpy(entry->key, key, KEY_BYTES);
  memcpy(entry->description, description, length);
  entry->length = length;
  entry->is_device = is_device;
  store->types++;
  store->bytes += length;
  return entry;
}

static void find_code(struct code_store *store, struct stowage_code *entry) {
  settle(entry, cache_load(&store->cache, entry));
  if (entry->state == CODE_READY || !client_lives(&store->client)) return;
  entry->state = CODE_ASKED;
  client_ask(&store->client, entry);
}

static struct stowage_code *entry_of(struct code_store *store, const void *description, size_t length,
                                     const char *variant, int is_device) {
  uint8_t key[KEY_BYTES];
  if (variant == NULL || length == 0) return NULL;
  stowage_key(description, length, variant, key);
  pthread_mutex_lock(&store->lock);
  struct stowage_code *entry = known(store, key, description, length, is_device);
  if (entry == NULL && (entry = made(store, key, description, length, is_device)) != NULL) {
    if (store->types > store->buckets) add_bucket(store);
    struct stowage_code **bucket = bucket_of(store, key);
    entry->next = *bucket;
    *bucket = entry;
    find_code(store, entry);
  }
  pthread_mutex_unlock(&store->lock);
  return entry;
}

struct stowage_code *code_entry(struct code_store *store, const void *description, size_t length) {
  return entry_of(store, description, length, cache_variant(&store->cache), 0);
}

struct stowage_code *code_device_entry(struct code_store *store, const void *description, size_t length) {
  return entry_of(store, description, length, cache_device_variant(&store->cache), 1);
}

/* One thread looks; the others go on without. */
static void look_now_and_then(struct code_store *store) {
  const int64_t now = now_ns();
  if (now < atomic_load_explicit(&store->next_look_ns, memory_order_relaxed)) return;
  if (pthread_mutex_trylock(&store->lock) != 0) return;
  atomic_store_explicit(&store->next_look_ns, now + LOOK_EVERY_NS, memory_order_relaxed);
  look(store);
  pthread_mutex_unlock(&store->lock);
}

const stowage_kernel *code_kernel(struct stowage_code *entry) {
  const stowage_kernel *kernel = atomic_load_explicit(&entry->kernel, memory_order_acquire);
  if (kernel != NULL || atomic_load_explicit(&entry->state, memory_order_relaxed) != CODE_ASKED) return kernel;
  look_now_and_then(entry->store);
  return atomic_load_explicit(&entry->kernel, memory_order_acquire);
}

/* Its state once the service was looked at. */
static int state_now(struct stowage_code *entry, int *file) {
  struct code_store *store = entry->store;
  pthread_mutex_lock(&store->lock);
  if (entry->state == CODE_ASKED) look(store);
  *file = client_file(&store->client);
  const int state = entry->state;
  pthread_mutex_unlock(&store->lock);
  return state;
}

int code_wait(struct stowage_code *entry, int64_t most_ns) {
  /* Another thread may take the answer that this one waits for: it looks again soon. */
  enum { MOST_MS = 20 };
  const int64_t start = now_ns();
  int file;
  while (state_now(entry, &file) == CODE_ASKED) {
    const int64_t left = most_ns - (now_ns() - start);
    if (left <= 0) break;
    struct pollfd answer = {.fd = file, .events = POLLIN};
    poll(&answer, 1, left / NS_OF_MS < MOST_MS ? (int)(left / NS_OF_MS) + 1 : MOST_MS);
  }
  return atomic_load_explicit(&entry->kernel, memory_order_acquire) != NULL;
}

int code_refuse(struct stowage_code *entry) {
  if (entry == NULL) return 0;
  pthread_mutex_lock(&entry->store->lock);
  const int had = entry->kernel != NULL;
  if (had) settle(entry, NULL);
  pthread_mutex_unlock(&entry->store->lock);
  return had;
}

const void *code_description(const struct stowage_code *entry, size_t *length) {
  *length = entry->length;
  return entry->description;
}

void *code_own(struct stowage_code *entry) { return entry->own; }

void code_store_each(struct code_store *store, void (*visit)(struct stowage_code *, void *), void *context) {
  pthread_mutex_lock(&store->lock);
  for (size_t i = 0; i < store->buckets; i++)
    for (struct stowage_code *entry = store->bucket[i]; entry != NULL; entry = entry->next) visit(entry, context);
  pthread_mutex_unlock(&store->lock);
}
