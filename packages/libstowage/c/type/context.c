#define _GNU_SOURCE 1
#include "context.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct stowage_context {
  atomic_int users;
  struct code_store *store;
};

/* What a context has of an entry of its store. */
struct entry_type {
  _Atomic(stowage_type *) type;
};

/* The folder that `stowage` keeps code in for a user: XDG Base Directory Specification. 0: it is too long, or unknown.
 */
static int default_cache(char path[PATH_MAX]) {
  const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
  if (cache != NULL && *cache != '\0') return snprintf(path, PATH_MAX, "%s/stowage/code", cache) < PATH_MAX;
  return home != NULL && *home != '\0' && snprintf(path, PATH_MAX, "%s/.cache/stowage/code", home) < PATH_MAX;
}

/* Where `stowage serve` listens. 0: nowhere. */
static int default_service(char path[PATH_MAX]) {
  const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
  const char *parent = runtime != NULL && *runtime != '\0' ? runtime : "/tmp";
  const int length = snprintf(path, PATH_MAX, "%s/stowage-%lu/serve", parent, (unsigned long)geteuid());
  return length < PATH_MAX && access(path, R_OK | W_OK) == 0;
}

/* What is given, else what the environment says, else where `stowage` has it; NULL: nothing. */
static const char *chosen(const char *given, const char *variable, int (*otherwise)(char[PATH_MAX]),
                          char path[PATH_MAX]) {
  const char *named = given != NULL ? given : secure_getenv(variable);
  if (named != NULL) return *named != '\0' ? named : NULL;
  return otherwise(path) ? path : NULL;
}

stowage_context *stowage_open(const struct stowage_options *options) {
  static const struct stowage_options none = {NULL, NULL};
  const struct stowage_options *asked = options != NULL ? options : &none;
  char folders[PATH_MAX], socket[PATH_MAX];
  stowage_context *context = calloc(1, sizeof *context);
  if (context == NULL) return NULL;
  context->users = 1;
  context->store = code_store_new(chosen(asked->cache, "STOWAGE_CACHE", default_cache, folders), stowage_version(),
                                  sizeof(struct entry_type));
  if (context->store == NULL) {
    free(context);
    return NULL;
  }
  code_store_join(context->store, chosen(asked->service, "STOWAGE_SERVICE", default_service, socket));
  return context;
}

void context_hold(stowage_context *context) {
  if (context != NULL) atomic_fetch_add(&context->users, 1);
}

static void discard_type(struct stowage_code *code, void *unused) {
  (void)unused;
  struct entry_type *own = code_own(code);
  if (own->type != NULL) type_discard(own->type);
}

void context_release(stowage_context *context) {
  if (context == NULL || atomic_fetch_sub(&context->users, 1) > 1) return;
  code_store_each(context->store, discard_type, NULL);
  code_store_free(context->store);
  free(context);
}

void stowage_close(stowage_context *context) {
  if (context == NULL) return;
  code_store_leave(context->store);
  context_release(context);
}

struct stowage_code *context_code(stowage_context *context, const void *description, size_t length) {
  return context == NULL ? NULL : code_entry(context->store, description, length);
}

struct stowage_code *context_device_code(stowage_context *context, const void *description, size_t length) {
  return context == NULL ? NULL : code_device_entry(context->store, description, length);
}

static stowage_type *held(stowage_context *context, stowage_type *type) {
  if (type == NULL) return NULL;
  if (atomic_fetch_add(&type->users, 1) == 0) context_hold(context);
  return type;
}

stowage_type *context_type(stowage_context *context, struct stowage_code *code) {
  struct entry_type *own = code_own(code);
  return held(context, atomic_load_explicit(&own->type, memory_order_acquire));
}

stowage_type *context_keep(stowage_context *context, struct stowage_code *code, stowage_type *type) {
  struct entry_type *own = code_own(code);
  stowage_type *other = NULL;
  if (atomic_compare_exchange_strong(&own->type, &other, type)) return held(context, type);
  type_discard(type);
  return held(context, other);
}

enum stowage_status stowage_wait_code(const stowage_type *type, int64_t most_ns) {
  if (type->code == NULL) return STOWAGE_NO_CODE;
  return code_wait(type->code, most_ns) ? STOWAGE_OK : STOWAGE_NO_CODE;
}

int stowage_has_code(const stowage_type *type) { return type->code != NULL && code_kernel(type->code) != NULL; }
