#define _GNU_SOURCE 1
#include "record.h"

#include "clock.h"
#include "entry.h"
#include "say.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct traffic of_no_entry[2];

static const char *folder(void) {
  const char *named = secure_getenv("STOWAGE_RECORD");
  return named != NULL && *named != '\0' ? named : NULL;
}

/* Asked for each message: the environment is looked at once. */
int record_wanted(void) {
  static atomic_int wanted = -1;
  const int known = atomic_load_explicit(&wanted, memory_order_relaxed);
  if (known >= 0) return known;
  const int now = folder() != NULL;
  atomic_store_explicit(&wanted, now, memory_order_relaxed);
  return now;
}

static void add(atomic_int_fast64_t *sum, int64_t more) { atomic_fetch_add_explicit(sum, more, memory_order_relaxed); }

void record_commit(struct stowage_code *entry) {
  if (entry != NULL && record_wanted()) add(&own_of(entry)->commits, 1);
}

/* The traffic of one entry, or of messages without one; NULL: they are not recorded. */
static struct traffic *traffic_of(struct stowage_code *entry, enum stowage_direction direction) {
  if (!record_wanted() || (entry != NULL && entry->is_device)) return NULL;
  return &(entry != NULL ? own_of(entry)->traffic : of_no_entry)[direction == STOWAGE_PACK ? 0 : 1];
}

static unsigned size_class(int64_t bytes) {
  const unsigned class = bytes <= 0 ? 0 : 64u - (unsigned)__builtin_clzll((unsigned long long)bytes);
  return class < SIZE_CLASSES ? class : SIZE_CLASSES - 1;
}

void record_message(struct stowage_code *entry, enum stowage_direction direction, int64_t bytes, int64_t pack_ns,
                    int64_t call_ns, int ours) {
  struct traffic *traffic = traffic_of(entry, direction);
  if (traffic == NULL) return;
  add(&traffic->messages, 1);
  add(&traffic->bytes, bytes);
  add(&traffic->our_messages, ours != 0);
  add(&traffic->our_bytes, ours ? bytes : 0);
  add(&traffic->pack_ns, pack_ns);
  add(&traffic->our_pack_ns, ours ? pack_ns : 0);
  add(&traffic->call_ns, call_ns);
  add(&traffic->by_size[size_class(bytes)], 1);
}

int64_t record_start(void) { return record_wanted() ? now_ns() : 0; }

void record_packed(struct stowage_code *entry, enum stowage_direction direction, int64_t start_ns, int ours) {
  struct traffic *traffic = entry == NULL ? NULL : traffic_of(entry, direction);
  if (start_ns == 0 || traffic == NULL) return;
  const int64_t took = record_start() - start_ns;
  add(&traffic->pack_ns, took);
  add(&traffic->our_pack_ns, ours ? took : 0);
}

void record_called(struct stowage_code *entry, enum stowage_direction direction, int64_t messages, int64_t bytes,
                   int64_t call_ns) {
  struct traffic *traffic = traffic_of(entry, direction);
  if (traffic == NULL) return;
  add(&traffic->call_ns, call_ns);
  if (entry != NULL) return; /* its messages are counted where they are packed */
  add(&traffic->messages, messages);
  add(&traffic->bytes, bytes);
}

/* --- The file: JSON, a type a line --- */

static void write_text(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text != '\0'; text++) {
    const unsigned char letter = (unsigned char)*text;
    if (letter == '"' || letter == '\\') fprintf(file, "\\%c", letter);
    else if (letter < 0x20 || letter > 0x7e) fprintf(file, "\\u%04x", letter);
    else fputc(letter, file);
  }
  fputc('"', file);
}

static void write_traffic(FILE *file, const char *name, const struct traffic *traffic) {
  const char *comma = "";
  fprintf(file, "\"%s\":{", name);
#define COUNT(member, told) fprintf(file, "\"" told "\":%" PRIdFAST64 ",", traffic->member);
  EACH_TRAFFIC_COUNT(COUNT)
#undef COUNT
  fputs("\"bySize\":[", file);
  for (int i = 0; i < SIZE_CLASSES; i++, comma = ",") fprintf(file, "%s%" PRIdFAST64, comma, traffic->by_size[i]);
  fputs("]}", file);
}

static void write_directions(FILE *file, const struct traffic traffic[2]) {
  write_traffic(file, "pack", &traffic[0]);
  fputc(',', file);
  write_traffic(file, "unpack", &traffic[1]);
}

struct list {
  FILE *file;
  const char *before; /* what separates the next one */
};

static void write_type(struct stowage_code *entry, void *context) {
  struct list *list = context;
  FILE *file = list->file;
  if (traffic_of(entry, STOWAGE_PACK) == NULL) return;
  fprintf(file, "%s\n{\"description\":\"", list->before);
  list->before = ",";
  for (size_t i = 0; i < entry->length; i++) fprintf(file, "%02x", entry->description[i]);
  fprintf(file, "\",\"commits\":%" PRIdFAST64 ",\"hasCode\":%s,", own_of(entry)->commits,
          entry->kernel != NULL ? "true" : "false");
  write_directions(file, own_of(entry)->traffic);
  fputc('}', file);
}

static void write_rank(FILE *file, int rank, const char *mpi, const char *host) {
  fprintf(file, "{\"schema\":\"" RECORDING_SCHEMA "\",\"version\":\"%s\",\"mpi\":\"%s\",\"rank\":%d,\"host\":",
          STOWAGE_VERSION, mpi, rank);
  write_text(file, host);
  fputs(",\"program\":", file);
  write_text(file, program_invocation_name);
  fputs(",\"others\":{", file);
  write_directions(file, of_no_entry);
  fputs("},\"types\":[", file);
  store_each(write_type, &(struct list){file, ""});
  fputs("\n]}\n", file);
}

void record_write(int rank, const char *mpi) {
  char host[256] = "", name[PATH_MAX - 8], beside[PATH_MAX];
  const char *where = folder();
  if (!record_wanted() || where == NULL) return;
  gethostname(host, sizeof host - 1);
  const int letters = snprintf(name, sizeof name, "%s/%s-%ld-rank-%d.json", where, host, (long)getpid(), rank);
  snprintf(beside, sizeof beside, "%s.new", name);
  FILE *file = letters < (int)sizeof name ? fopen(beside, "wxe") : NULL;
  if (file != NULL) write_rank(file, rank, mpi, host);
  const int whole = file != NULL && !ferror(file);
  if (file != NULL && fclose(file) == 0 && whole && rename(beside, name) == 0) return;
  say("%s: expected a folder that takes this rank's recording, got none", where);
  if (file != NULL) unlink(beside);
}
