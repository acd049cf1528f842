#define _GNU_SOURCE 1
#include "cache.h"

#include "formats.h"
#include "say.h"
#include "trusted-folder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keeps the folders of a list that others can put nothing into: code that lies there is run. */
static void keep_trusted(char *list) {
  char *kept = list, folder[PATH_MAX], at[PATH_MAX];
  for (const char *from = list; *from != '\0';) {
    const size_t letters = strcspn(from, ":"), step = letters + (from[letters] == ':');
    const int fits = snprintf(folder, sizeof folder, "%.*s", (int)letters, from) < (int)sizeof folder;
    if (letters > 0 && fits && is_trusted_folder(folder, at)) {
      memmove(kept, from, step);
      kept += step;
    } else if (letters > 0)
      say("%s: expected a folder that this user or root alone may write to, got %s: no code is taken from it", folder,
          at);
    from += step;
  }
  *kept = '\0';
}

void cache_open(struct code_cache *cache, const char *list, const char *version) {
  cache->level = stowage_level();
  if (cache->level != NULL)
    snprintf(cache->variant, sizeof cache->variant, "pack x64 %d %s %s", ARTIFACT_X64_VERSION, cache->level, version);
  snprintf(cache->device_variant, sizeof cache->device_variant, "pack ptx %d ptx %s", GPU_VERSION, version);
  cache->folders = list != NULL && *list != '\0' ? strdup(list) : NULL;
  if (cache->folders != NULL) keep_trusted(cache->folders);
}

void cache_close(struct code_cache *cache) { free(cache->folders); }

const char *cache_variant(const struct code_cache *cache) { return *cache->variant != '\0' ? cache->variant : NULL; }
const char *cache_device_variant(const struct code_cache *cache) { return cache->device_variant; }

/* KEY-LEVEL-VERSION.stowage: the version is the container's. */
static int path_of(const struct code_cache *cache, const struct stowage_code *entry, const char *folder, size_t letters,
                   char path[PATH_MAX]) {
  static const char digits[] = "0123456789abcdef";
  char key[2 * KEY_BYTES + 1] = "";
  for (size_t i = 0; i < 2 * KEY_BYTES; i++) key[i] = digits[entry->key[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
  return snprintf(path, PATH_MAX, "%.*s/%s-%s-%d.stowage", (int)letters, folder, key,
                  entry->is_device ? "ptx" : cache->level, ARTIFACT_VERSION) < PATH_MAX;
}

/* A key is a hash and proves nothing: the whole description must be the type's. */
static int is_of(const stowage_kernel *kernel, const struct stowage_code *entry) {
  size_t length;
  const void *description = stowage_description(kernel, &length);
  if (length != entry->length || memcmp(description, entry->description, length) != 0) return 0;
  return (stowage_gpu_code(kernel, &length) != NULL) == entry->is_device;
}

/* Those of a dense type are copies, which no message needs. */
static int packs(const stowage_kernel *kernel) {
  const struct stowage_move *pack = stowage_move_at(kernel, STORE_PACK),
                            *unpack = stowage_move_at(kernel, STORE_UNPACK);
  return pack != NULL && unpack != NULL && pack->direction == STOWAGE_PACK && unpack->direction == STOWAGE_UNPACK;
}

static const stowage_kernel *loaded(const char *path, const struct stowage_code *entry) {
  stowage_kernel *kernel;
  const enum stowage_status status = stowage_load_file(path, &kernel);
  const int is_ours = status == STOWAGE_OK && is_of(kernel, entry);
  if (is_ours && (entry->is_device || packs(kernel))) return kernel;
  stowage_unload(kernel);
  if (is_ours) return NULL;
  if (status == STOWAGE_OK) SAY_ONCE("%s: expected the code of another datatype: left alone", path);
  else if (status != STOWAGE_UNREADABLE) SAY_ONCE("%s: %s: left alone", path, stowage_text(status));
  return NULL;
}

const stowage_kernel *cache_load(const struct code_cache *cache, const struct stowage_code *entry) {
  char path[PATH_MAX];
  for (const char *folder = cache->folders; folder != NULL && *folder != '\0';) {
    const size_t letters = strcspn(folder, ":");
    const stowage_kernel *kernel =
        letters > 0 && path_of(cache, entry, folder, letters, path) ? loaded(path, entry) : NULL;
    if (kernel != NULL) return kernel;
    folder += letters + (folder[letters] == ':');
  }
  return NULL;
}
