#define _GNU_SOURCE 1
#include "store.h"

#include "cache.h"
#include "client.h"
#include "record.h"
#include "say.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A program that makes new types without end must not fill the memory: types beyond these stay native. */
enum { MOST_TYPES = 65536, BUCKETS = MOST_TYPES };
static const size_t MOST_BYTES = (size_t)256 << 20;
static const int64_t LOOK_EVERY_NS = 1000000;

static struct {
  pthread_mutex_t lock;
  int open;
  size_t types, bytes;
  struct stowage_code *bucket[BUCKETS];
  atomic_int_fast64_t next_look_ns;
} store = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void store_open(void) {
  pthread_mutex_lock(&store.lock);
  if (!store.open) cache_open(secure_getenv("STOWAGE_CACHE"));
  store.open = 1;
  if (cache_variant() == NULL) SAY_ONCE("no code for this kind of processor: datatypes stay native");
  else client_open(secure_getenv("STOWAGE_SERVICE"));
  pthread_mutex_unlock(&store.lock);
}

static struct stowage_code **bucket_of(const uint8_t key[KEY_BYTES]) {
  return &store.bucket[((unsigned)key[0] | (unsigned)key[1] << 8) % BUCKETS];
}

static struct stowage_code *known(const uint8_t key[KEY_BYTES], const void *description, size_t length, int is_device) {
  for (struct stowage_code *entry = *bucket_of(key); entry != NULL; entry = entry->next)
    if (entry->is_device == is_device && memcmp(entry->key, key, KEY_BYTES) == 0 && entry->length == length &&
        memcmp(entry->description, description, length) == 0)
      return entry;
  return NULL;
}

static void settle(struct stowage_code *entry, const stowage_kernel *kernel) {
  atomic_store_explicit(&entry->kernel, kernel, memory_order_release);
  atomic_store_explicit(&entry->state, kernel != NULL ? ENTRY_READY : ENTRY_NATIVE, memory_order_release);
}

/* The service has written a file, or cannot. Two types may have one key: whichever the file is of takes it. */
static void answered(const uint8_t key[KEY_BYTES], int is_stored) {
  for (struct stowage_code *entry = *bucket_of(key); entry != NULL; entry = entry->next)
    if (memcmp(entry->key, key, KEY_BYTES) == 0 && entry->state == ENTRY_ASKED)
      settle(entry, is_stored ? cache_load(entry) : NULL);
}

static void forget_questions(void) {
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct stowage_code *entry = store.bucket[i]; entry != NULL; entry = entry->next)
      if (entry->state == ENTRY_ASKED) settle(entry, NULL);
}

void store_close(void) {
  pthread_mutex_lock(&store.lock);
  client_close();
  forget_questions();
  pthread_mutex_unlock(&store.lock);
}

static void look(void) {
  if (client_look(answered)) return;
  SAY_ONCE("the compile service is gone: datatypes without code stay native");
  forget_questions();
}

static struct stowage_code *made(const uint8_t key[KEY_BYTES], const void *description, size_t length, int is_device) {
  if (store.types >= MOST_TYPES || length > MOST_BYTES - store.bytes) {
    SAY_ONCE("more datatypes than are kept: further ones stay native");
    return NULL;
  }
  struct stowage_code *entry = calloc(1, sizeof *entry + length);
  if (entry == NULL) return NULL;
  memcpy(entry->key, key, KEY_BYTES);
  memcpy(entry->description, description, length);
  entry->length = length;
  entry->is_device = is_device;
  if (record_wanted() && !is_device) entry->traffic = calloc(2, sizeof *entry->traffic);
  store.types++;
  store.bytes += length;
  return entry;
}

static void find_code(struct stowage_code *entry) {
  settle(entry, cache_load(entry));
  if (entry->state == ENTRY_READY || !client_lives()) return;
  entry->state = ENTRY_ASKED;
  client_ask(entry);
}

static struct stowage_code *entry_of(const void *description, size_t length, const char *variant, int is_device) {
  uint8_t key[KEY_BYTES];
  if (variant == NULL || length == 0) return NULL;
  stowage_key(description, length, variant, key);
  pthread_mutex_lock(&store.lock);
  struct stowage_code *entry = NULL;
  if (store.open && (entry = known(key, description, length, is_device)) == NULL &&
      (entry = made(key, description, length, is_device)) != NULL) {
    struct stowage_code **bucket = bucket_of(key);
    entry->next = *bucket;
    *bucket = entry;
    find_code(entry);
  }
  pthread_mutex_unlock(&store.lock);
  return entry;
}

struct stowage_code *store_entry(const void *description, size_t length) {
  return entry_of(description, length, cache_variant(), 0);
}

struct stowage_code *store_device_entry(const void *description, size_t length) {
  return entry_of(description, length, cache_device_variant(), 1);
}

/* One thread looks; the others go on natively. */
static void look_now_and_then(void) {
  const int64_t now = now_ns();
  if (now < atomic_load_explicit(&store.next_look_ns, memory_order_relaxed)) return;
  if (pthread_mutex_trylock(&store.lock) != 0) return;
  atomic_store_explicit(&store.next_look_ns, now + LOOK_EVERY_NS, memory_order_relaxed);
  look();
  pthread_mutex_unlock(&store.lock);
}

const stowage_kernel *store_kernel(struct stowage_code *entry) {
  const stowage_kernel *kernel = atomic_load_explicit(&entry->kernel, memory_order_acquire);
  if (kernel != NULL || atomic_load_explicit(&entry->state, memory_order_relaxed) != ENTRY_ASKED) return kernel;
  look_now_and_then();
  return atomic_load_explicit(&entry->kernel, memory_order_acquire);
}

int store_refuse(struct stowage_code *entry) {
  pthread_mutex_lock(&store.lock);
  const int had = entry != NULL && entry->kernel != NULL;
  if (had) settle(entry, NULL);
  pthread_mutex_unlock(&store.lock);
  return had;
}

const void *store_description(const struct stowage_code *entry, size_t *length) {
  *length = entry->length;
  return entry->description;
}

void store_each(void (*visit)(struct stowage_code *, void *), void *context) {
  pthread_mutex_lock(&store.lock);
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct stowage_code *entry = store.bucket[i]; entry != NULL; entry = entry->next) visit(entry, context);
  pthread_mutex_unlock(&store.lock);
}
