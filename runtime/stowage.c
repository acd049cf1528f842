/* See stowage.h. The container is that of formats.h; nothing here reads its JSON. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "stowage.h"

#include "checksum.h"
#include "frames.h"
#include "gpu_section.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum { CACHE_LINE = 64 };

typedef void (*entry_function)(const void *, void *, int64_t, int64_t, int64_t);

struct ready_move {
  struct stowage_move facts;
  entry_function entry;
};

struct stowage_kernel {
  void *code;
  size_t mapped;
  /* Behind the code; NULL: unwinders were told nothing. */
  const void *frames;
  unsigned char *gpu_code;
  size_t gpu_length;
  unsigned char *description;
  /* `runnable` moves are for this processor: all of them or none. */
  size_t description_length, count, runnable;
  struct ready_move moves[];
};

const char *stowage_text(enum stowage_status status) {
  switch (status) {
  case STOWAGE_OK: return "done";
  case STOWAGE_UNREADABLE: return "artifact: expected a file that can be read, got none";
  case STOWAGE_FOREIGN_OWNER: return "artifact: expected a file that its user or root alone may write, got another's";
  case STOWAGE_NO_ARTIFACT: return "artifact: expected bytes that start with STOWAGE, got others";
  case STOWAGE_OLDER: return "version of an artifact: expected one that this library reads, got an older one";
  case STOWAGE_NEWER: return "version of an artifact: expected one that this library knows, got a newer one";
  case STOWAGE_TRUNCATED: return "length of an artifact: expected what it says itself, got another";
  case STOWAGE_DAMAGED: return "artifact: expected one as it was stored, got a damaged one";
  case STOWAGE_FOREIGN_BACKEND: return "backend of an artifact: expected code for x86-64, got another's";
  case STOWAGE_LEVEL: return "level of an artifact: expected at most this processor's, got a higher one";
  case STOWAGE_NO_MEMORY: return "memory: expected some for code and tables, got none";
  case STOWAGE_RANGE: return "range: expected a move and a range of its packed stream, got others";
  case STOWAGE_DESCRIPTION: return "description: expected known children, or a name of at most 255 letters, got others";
  case STOWAGE_OVERFLOW: return "size of a type: expected sizes, bounds and places of 64 bits, got larger ones";
  case STOWAGE_NO_CODE: return "code of a type: expected some within this time, got none";
  case STOWAGE_DEVICE: return "driver of a device: expected it to take the work, got an error of it";
  }
  return "status: expected one of this library's, got another";
}

static uint32_t checksum_of(const unsigned char *bytes, size_t length) {
  enum { AT = offsetof(struct artifact, checksum), BEHIND = AT + sizeof(uint32_t) };
  return crc_over(crc_over(0, bytes, AT), bytes + BEHIND, length - BEHIND);
}

/* Whether a table lies in the bytes. */
static int is_in(size_t length, uint64_t offset, uint64_t own) { return offset <= length && own <= length - offset; }

/* Levels of code by name, each including the ones before it. */
static const char *const level_names[] = {"sse2", "avx2", "avx512"};

static int level_of(const struct artifact *artifact) {
  for (int i = 0; i < 3; i++)
    if (strncmp(artifact->level, level_names[i], sizeof artifact->level) == 0) return i;
  return -1;
}

/* What this processor runs, and the system saves: Intel SDM volume 1, sections 14.3 and 15.2. -1: no x86-64. */
static int probed_level(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d, saved, high;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (3u << 27)) != 3u << 27) return 0;
  __asm__ volatile("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  if ((saved & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  if ((b & (1u << 5 | 1u << 8)) != (1u << 5 | 1u << 8)) return 0;
  const unsigned avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
  return (saved & 0xe6) == 0xe6 && (b & avx512) == avx512 && (c & 2) != 0 ? 2 : 1;
#else
  return -1;
#endif
}

/* Asked once: under a hypervisor each cpuid takes microseconds. Threads that ask at once find the same. */
static int machine_level(void) {
  static _Atomic int known = -2;
  if (known == -2) known = probed_level();
  return known;
}

const char *stowage_level(void) {
  const int level = machine_level();
  return level < 0 ? NULL : level_names[level];
}

/* Whether the container is one, whole, and of a version that is known. */
static enum stowage_status check_container(const unsigned char *bytes, size_t length, struct artifact *artifact) {
  enum { OF_ALL_VERSIONS = offsetof(struct artifact, backend) };
  memset(artifact, 0, sizeof *artifact);
  if (length < OF_ALL_VERSIONS) return STOWAGE_NO_ARTIFACT;
  memcpy(artifact, bytes, length < sizeof *artifact ? OF_ALL_VERSIONS : sizeof *artifact);
  if (memcmp(artifact->magic, "STOWAGE\x1a", sizeof artifact->magic) != 0) return STOWAGE_NO_ARTIFACT;
  if (artifact->version > ARTIFACT_VERSION) return STOWAGE_NEWER;
  if (artifact->total_length != length) return STOWAGE_TRUNCATED;
  if (artifact->checksum != checksum_of(bytes, length)) return STOWAGE_DAMAGED;
  if (artifact->version < ARTIFACT_VERSION) return STOWAGE_OLDER;
  if (length < sizeof *artifact || artifact->moves > (length - sizeof *artifact) / sizeof(struct artifact_move))
    return STOWAGE_DAMAGED;
  if (!is_in(length, artifact->description, artifact->description_bytes)) return STOWAGE_DAMAGED;
  if (!is_in(length, artifact->frames, artifact->frames_bytes)) return STOWAGE_DAMAGED;
  return is_in(length, artifact->code, artifact->code_bytes) ? STOWAGE_OK : STOWAGE_DAMAGED;
}

static int is_for_gpu(const struct artifact *artifact) {
  return strncmp(artifact->backend, "ptx", sizeof artifact->backend) == 0;
}

static enum stowage_status check_version(const struct artifact *artifact, uint32_t known) {
  const uint32_t version = artifact->payload_version;
  return version > known ? STOWAGE_NEWER : version < known ? STOWAGE_OLDER : STOWAGE_OK;
}

/* Whether its code is for this machine, or for a GPU. */
static enum stowage_status check_code(const struct artifact *artifact) {
  if (is_for_gpu(artifact)) return check_version(artifact, GPU_VERSION);
  const int machine = machine_level(), level = level_of(artifact);
  if (strncmp(artifact->backend, "x64", sizeof artifact->backend) != 0 || machine < 0) return STOWAGE_FOREIGN_BACKEND;
  const enum stowage_status version = check_version(artifact, ARTIFACT_X64_VERSION);
  if (version != STOWAGE_OK) return version;
  if (level < 0) return STOWAGE_DAMAGED;
  return level > machine ? STOWAGE_LEVEL : STOWAGE_OK;
}

static struct stowage_bounds bounds_of(const struct artifact_bounds *bounds) {
  return (struct stowage_bounds){bounds->extent, bounds->lower_bound, bounds->true_extent, bounds->true_lower_bound};
}

/* Code is written before it may be run, never both: W^X. Frames stand behind it, whose distances need no more than 32
 * bits so. */
static enum stowage_status map_code(const unsigned char *bytes, const struct artifact *artifact,
                                    stowage_kernel *kernel) {
  const struct frame_records records = {bytes + artifact->frames, (size_t)artifact->frames_bytes};
  const size_t length = (size_t)artifact->code_bytes, behind = aligned_frames(length);
  size_t frames_bytes;
  if (!measure_frames(&records, length, &frames_bytes)) return STOWAGE_DAMAGED;
  const size_t mapped = behind + frames_bytes;
  unsigned char *memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return STOWAGE_NO_MEMORY;
  memcpy(memory, bytes + artifact->code, length);
  if (frames_bytes > 0) write_frames(&records, memory, memory + behind);
  if (mprotect(memory, mapped, PROT_READ | PROT_EXEC) != 0) {
    munmap(memory, mapped);
    return STOWAGE_NO_MEMORY;
  }
  kernel->code = memory;
  kernel->mapped = mapped;
  if (frames_bytes > 0 && tell_unwinder(memory + behind)) kernel->frames = memory + behind;
  return STOWAGE_OK;
}

static struct artifact_move move_at(const unsigned char *bytes, size_t move) {
  struct artifact_move record;
  memcpy(&record, bytes + sizeof(struct artifact) + move * sizeof record, sizeof record);
  return record;
}

static enum stowage_status read_moves(const unsigned char *bytes, const struct artifact *artifact,
                                      stowage_kernel *kernel) {
  for (size_t i = 0; i < kernel->count; i++) {
    const struct artifact_move record = move_at(bytes, i);
    if (record.size < 0 || record.direction > STOWAGE_COPY || record.entry >= artifact->code_bytes)
      return STOWAGE_DAMAGED;
    struct stowage_move *facts = &kernel->moves[i].facts;
    facts->size = record.size;
    facts->source = bounds_of(&record.source);
    facts->target = bounds_of(&record.target);
    facts->direction = (enum stowage_direction)record.direction;
    facts->run = record.run;
  }
  return STOWAGE_OK;
}

static int is_gpu_section(const unsigned char *code, size_t length, const stowage_kernel *kernel) {
  if (!gpu_head_is_sound(code, length, kernel->count)) return 0;
  const struct gpu_code head = gpu_code_of(code);
  struct gpu_check check = {.bytes = code, .length = length, .budget = length};
  for (size_t i = 0; i < kernel->count; i++) {
    const struct gpu_move move = gpu_move_of(code, i);
    if (!gpu_move_is_sound(&check, &head, &move, (uint64_t)kernel->moves[i].facts.size)) return 0;
  }
  return 1;
}

/* A copy of bytes that are there; NULL where there is no memory. */
static unsigned char *kept(const unsigned char *bytes, size_t length) {
  unsigned char *copy = malloc(length);
  if (copy != NULL) memcpy(copy, bytes, length);
  return copy;
}

static enum stowage_status keep_gpu_code(const unsigned char *code, size_t length, stowage_kernel *kernel) {
  if (!is_gpu_section(code, length, kernel)) return STOWAGE_DAMAGED;
  kernel->gpu_code = kept(code, length);
  kernel->gpu_length = length;
  return kernel->gpu_code == NULL ? STOWAGE_NO_MEMORY : STOWAGE_OK;
}

static enum stowage_status finish(const unsigned char *bytes, const struct artifact *artifact, stowage_kernel *kernel) {
  if (is_for_gpu(artifact)) return keep_gpu_code(bytes + artifact->code, (size_t)artifact->code_bytes, kernel);
  const enum stowage_status status = map_code(bytes, artifact, kernel);
  if (status != STOWAGE_OK) return status;
  for (size_t i = 0; i < kernel->count; i++) {
    unsigned char *at = (unsigned char *)kernel->code + move_at(bytes, i).entry;
    memcpy(&kernel->moves[i].entry, &at, sizeof at);
  }
  kernel->runnable = kernel->count;
  return STOWAGE_OK;
}

static enum stowage_status keep_description(const unsigned char *bytes, const struct artifact *artifact,
                                            stowage_kernel *kernel) {
  if (artifact->description_bytes == 0) return STOWAGE_OK;
  kernel->description_length = (size_t)artifact->description_bytes;
  kernel->description = kept(bytes + artifact->description, kernel->description_length);
  return kernel->description == NULL ? STOWAGE_NO_MEMORY : STOWAGE_OK;
}

enum stowage_status stowage_load(const void *bytes, size_t length, stowage_kernel **loaded) {
  struct artifact artifact;
  *loaded = NULL;
  enum stowage_status status = check_container(bytes, length, &artifact);
  if (status == STOWAGE_OK) status = check_code(&artifact);
  if (status != STOWAGE_OK) return status;
  stowage_kernel *kernel = calloc(1, sizeof *kernel + artifact.moves * sizeof kernel->moves[0]);
  if (kernel == NULL) return STOWAGE_NO_MEMORY;
  kernel->count = artifact.moves;
  status = read_moves(bytes, &artifact, kernel);
  if (status == STOWAGE_OK) status = keep_description(bytes, &artifact, kernel);
  if (status == STOWAGE_OK && kernel->count > 0) status = finish(bytes, &artifact, kernel);
  if (status == STOWAGE_OK) *loaded = kernel;
  else stowage_unload(kernel);
  return status;
}

/* Who may write the file may run code here: this process's user and root may anyway. */
static enum stowage_status check_owner(int file, struct stat *facts) {
  if (fstat(file, facts) != 0 || !S_ISREG(facts->st_mode)) return STOWAGE_UNREADABLE;
  const int own = facts->st_uid == geteuid() || facts->st_uid == 0;
  return own && (facts->st_mode & (S_IWGRP | S_IWOTH)) == 0 ? STOWAGE_OK : STOWAGE_FOREIGN_OWNER;
}

static int read_all(int file, unsigned char *bytes, size_t length) {
  for (size_t at = 0; at < length;) {
    const ssize_t got = read(file, bytes + at, length - at);
    if (got <= 0) return 0;
    at += (size_t)got;
  }
  return 1;
}

static enum stowage_status load_open(int file, stowage_kernel **kernel) {
  struct stat facts;
  const enum stowage_status owner = check_owner(file, &facts);
  if (owner != STOWAGE_OK) return owner;
  const size_t length = (size_t)facts.st_size;
  unsigned char *bytes = malloc(length + 1);
  if (bytes == NULL) return STOWAGE_NO_MEMORY;
  /* Read, not mapped: what is checked is what is run, whatever becomes of the file. */
  const enum stowage_status status =
      read_all(file, bytes, length) ? stowage_load(bytes, length, kernel) : STOWAGE_UNREADABLE;
  free(bytes);
  return status;
}

enum stowage_status stowage_load_file(const char *path, stowage_kernel **kernel) {
  *kernel = NULL;
  /* Not to wait for who writes to a pipe of that name. */
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return STOWAGE_UNREADABLE;
  const enum stowage_status status = load_open(file, kernel);
  close(file);
  return status;
}

void stowage_unload(stowage_kernel *kernel) {
  if (kernel == NULL) return;
  if (kernel->frames != NULL) untell_unwinder(kernel->frames);
  if (kernel->code != NULL) munmap(kernel->code, kernel->mapped);
  free(kernel->gpu_code);
  free(kernel->description);
  free(kernel);
}

size_t stowage_moves(const stowage_kernel *kernel) { return kernel->count; }

const struct stowage_move *stowage_move_at(const stowage_kernel *kernel, size_t move) {
  return move < kernel->count ? &kernel->moves[move].facts : NULL;
}

const void *stowage_description(const stowage_kernel *kernel, size_t *length) {
  *length = kernel->description_length;
  return kernel->description;
}

const void *stowage_gpu_code(const stowage_kernel *kernel, size_t *length) {
  *length = kernel->gpu_length;
  return kernel->gpu_code;
}

static int is_range(const struct stowage_move *facts, int64_t count, int64_t first, int64_t length) {
  if (count < 0 || first < 0 || length < 0) return 0;
  if (facts->size > 0 && count > INT64_MAX / facts->size) return 0;
  const int64_t total = count * facts->size;
  return first <= total && length <= total - first;
}

enum stowage_status stowage_run(const stowage_kernel *kernel, size_t move, const void *STOWAGE_RESTRICT source,
                                void *STOWAGE_RESTRICT target, int64_t count, int64_t first, int64_t length) {
  if (move >= kernel->runnable || !is_range(&kernel->moves[move].facts, count, first, length)) return STOWAGE_RANGE;
  if (length > 0) kernel->moves[move].entry(source, target, count, first, length);
  return STOWAGE_OK;
}

/* Where part `part` begins: a multiple of a cache line, so that no two threads write one of a packed target. */
static int64_t cut(int64_t first, int64_t length, unsigned part, unsigned parts) {
  if (part == 0) return first;
  if (part == parts) return first + length;
  const int64_t lines = length / CACHE_LINE, whole = lines / parts, rest = lines % parts;
  const int64_t at = first + (whole * part + (rest * part) / parts) * CACHE_LINE;
  const int64_t aligned = at / CACHE_LINE * CACHE_LINE;
  return aligned < first ? first : aligned;
}

enum stowage_status stowage_run_part(const stowage_kernel *kernel, size_t move, const void *STOWAGE_RESTRICT source,
                                     void *STOWAGE_RESTRICT target, int64_t count, int64_t first, int64_t length,
                                     unsigned part, unsigned parts) {
  if (part >= parts || move >= kernel->runnable) return STOWAGE_RANGE;
  if (!is_range(&kernel->moves[move].facts, count, first, length)) return STOWAGE_RANGE;
  const int64_t from = cut(first, length, part, parts), to = cut(first, length, part + 1, parts);
  return stowage_run(kernel, move, source, target, count, from, to - from);
}

/* --- Descriptions --- */

/* A node is a head, its integers, and addresses and children, each list behind its number. A predefined type's integers
 * are the letters of its name. All are 64 bits, little-endian. */
static_assert((int)STOWAGE_NAMED == DESCRIPTION_PREDEFINED && (int)STOWAGE_DUP == DESCRIPTION_DUP,
              "as TypeScript numbers them");

struct stowage_describer {
  unsigned char *bytes;
  size_t length, room;
  /* Where each node begins; and by hash, nodes + 1, 0 where free. */
  size_t *starts;
  uint32_t *table;
  uint32_t nodes, starts_room, table_room;
};

stowage_describer *stowage_describe(void) { return calloc(1, sizeof(stowage_describer)); }

void stowage_describer_free(stowage_describer *d) {
  if (d == NULL) return;
  free(d->bytes);
  free(d->starts);
  free(d->table);
  free(d);
}

const void *stowage_described(const stowage_describer *d, size_t *length) {
  *length = d->length;
  return d->bytes;
}

static int reserve(stowage_describer *d, size_t words) {
  if (words > (SIZE_MAX / 2 - d->length) / 8) return 0;
  const size_t needed = d->length + 8 * words;
  if (needed <= d->room) return 1;
  const size_t room = needed > 2 * d->room ? needed : 2 * d->room;
  unsigned char *bytes = realloc(d->bytes, room);
  if (bytes == NULL) return 0;
  d->bytes = bytes;
  d->room = room;
  return 1;
}

static void word(stowage_describer *d, int64_t value) {
  for (unsigned shift = 0; shift < 64; shift += 8) d->bytes[d->length++] = (unsigned char)((uint64_t)value >> shift);
}

static void put_head(stowage_describer *d, struct description_node head) {
  memcpy(d->bytes + d->length, &head, sizeof head);
  d->length += sizeof head;
}

static uint32_t rotl(uint32_t value, unsigned by) { return value << by | value >> (32 - by); }

static uint32_t finalised(uint32_t h) {
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

static const uint32_t C1 = 0x239b961bu, C2 = 0xab0e9789u, C3 = 0x38b34ae5u, C4 = 0xa1e38b93u;

/* One block of 16 bytes. */
static void mix(uint32_t h[4], uint32_t k1, uint32_t k2, uint32_t k3, uint32_t k4) {
  h[0] ^= rotl(k1 * C1, 15) * C2;
  h[0] = (rotl(h[0], 19) + h[1]) * 5 + 0x561ccd1bu;
  h[1] ^= rotl(k2 * C2, 16) * C3;
  h[1] = (rotl(h[1], 17) + h[2]) * 5 + 0x0bcaa747u;
  h[2] ^= rotl(k3 * C3, 17) * C4;
  h[2] = (rotl(h[2], 15) + h[3]) * 5 + 0x96cd1c35u;
  h[3] ^= rotl(k4 * C4, 18) * C1;
  h[3] = (rotl(h[3], 13) + h[0]) * 5 + 0x32ac3b17u;
}

/* The last, shorter block, zeros behind it. */
static void mix_tail(uint32_t h[4], const unsigned char *tail, size_t length) {
  unsigned char padded[16] = {0};
  if (length > 0) memcpy(padded, tail, length);
  h[3] ^= rotl(u32(padded + 12) * C4, 18) * C1;
  h[2] ^= rotl(u32(padded + 8) * C3, 17) * C4;
  h[1] ^= rotl(u32(padded + 4) * C2, 16) * C3;
  h[0] ^= rotl(u32(padded) * C1, 15) * C2;
}

/* MurmurHash3_x86_128 (Appleby, public domain), with a seed. */
static void murmur(const unsigned char *bytes, size_t length, uint32_t seed, uint32_t h[4]) {
  for (int i = 0; i < 4; i++) h[i] = seed;
  size_t at = 0;
  for (; at + 16 <= length; at += 16)
    mix(h, u32(bytes + at), u32(bytes + at + 4), u32(bytes + at + 8), u32(bytes + at + 12));
  mix_tail(h, bytes + at, length - at);
  for (int i = 0; i < 4; i++) h[i] ^= (uint32_t)length;
  for (int i = 1; i < 4; i++) h[0] += h[i];
  for (int i = 1; i < 4; i++) h[i] += h[0];
  for (int i = 0; i < 4; i++) h[i] = finalised(h[i]);
  for (int i = 1; i < 4; i++) h[0] += h[i];
  for (int i = 1; i < 4; i++) h[i] += h[0];
}

void stowage_key(const void *description, size_t length, const char *variant, uint8_t key[16]) {
  uint32_t seed[4], h[4];
  murmur((const unsigned char *)variant, strlen(variant), 0, seed);
  murmur(description, length, seed[0] ^ seed[1] ^ seed[2] ^ seed[3], h);
  for (unsigned i = 0; i < 16; i++) key[i] = (uint8_t)(h[i / 4] >> 8 * (i % 4));
}

static int grow_table(stowage_describer *d) {
  const uint32_t room = d->table_room == 0 ? 64 : 2 * d->table_room;
  uint32_t *table = calloc(room, sizeof *table);
  if (table == NULL) return 0;
  for (uint32_t node = 0; node < d->nodes; node++) {
    const size_t end = node + 1 < d->nodes ? d->starts[node + 1] : d->length;
    uint32_t h[4];
    murmur(d->bytes + d->starts[node], end - d->starts[node], 0, h);
    uint32_t at = h[0] & (room - 1);
    while (table[at] != 0) at = (at + 1) & (room - 1);
    table[at] = node + 1;
  }
  free(d->table);
  d->table = table;
  d->table_room = room;
  return 1;
}

static int make_room(stowage_describer *d) {
  if (d->nodes == d->starts_room) {
    const uint32_t room = d->starts_room == 0 ? 32 : 2 * d->starts_room;
    size_t *starts = realloc(d->starts, room * sizeof *starts);
    if (starts == NULL) return 0;
    d->starts = starts;
    d->starts_room = room;
  }
  return 2 * (d->nodes + 1) <= d->table_room || grow_table(d);
}

/* The node that ends the bytes, which begins at `start`: a new one, or one like it that is there already. Room is made.
 */
static uint32_t settled(stowage_describer *d, size_t start) {
  const size_t length = d->length - start;
  uint32_t h[4];
  murmur(d->bytes + start, length, 0, h);
  uint32_t at = h[0] & (d->table_room - 1);
  for (; d->table[at] != 0; at = (at + 1) & (d->table_room - 1)) {
    const uint32_t known = d->table[at] - 1;
    const size_t end = known + 1 < d->nodes ? d->starts[known + 1] : start;
    if (end - d->starts[known] != length || memcmp(d->bytes + d->starts[known], d->bytes + start, length) != 0)
      continue;
    d->length = start;
    return known;
  }
  d->table[at] = d->nodes + 1;
  d->starts[d->nodes] = start;
  return d->nodes++;
}

/* The name that all MPIs give a type which some also call otherwise: MPI 4.1, table 3.2. */
static const char *canonical(const char *name) {
  if (strcmp(name, "MPI_LONG_LONG") == 0) return "MPI_LONG_LONG_INT";
  return strcmp(name, "MPI_C_FLOAT_COMPLEX") == 0 ? "MPI_C_COMPLEX" : name;
}

enum stowage_status stowage_describe_named(stowage_describer *d, const char *given, int64_t lower_bound, int64_t extent,
                                           uint32_t *node) {
  const char *name = canonical(given);
  const size_t letters = strlen(name);
  if (letters == 0 || letters > 255) return STOWAGE_DESCRIPTION;
  if (!reserve(d, 7 + letters) || !make_room(d)) return STOWAGE_NO_MEMORY;
  const size_t start = d->length;
  put_head(d, (struct description_node){(int64_t)(6 + letters), STOWAGE_NAMED, lower_bound, extent, (int64_t)letters});
  for (size_t i = 0; i < letters; i++) word(d, (unsigned char)name[i]);
  word(d, 0);
  word(d, 0);
  *node = settled(d, start);
  return STOWAGE_OK;
}

enum stowage_status stowage_describe_node(stowage_describer *d, enum stowage_combiner combiner,
                                          const struct stowage_contents *c, int64_t lower_bound, int64_t extent,
                                          uint32_t *node) {
  if ((unsigned)combiner < STOWAGE_CONTIGUOUS || (unsigned)combiner > STOWAGE_DUP) return STOWAGE_DESCRIPTION;
  for (size_t i = 0; i < c->child_count; i++)
    if (c->children[i] >= d->nodes) return STOWAGE_DESCRIPTION;
  const size_t most = SIZE_MAX / 64;
  if (c->integer_count > most || c->address_count > most || c->child_count > most) return STOWAGE_DESCRIPTION;
  const size_t words = 6 + c->integer_count + c->address_count + c->child_count;
  if (!reserve(d, 1 + words) || !make_room(d)) return STOWAGE_NO_MEMORY;
  const size_t start = d->length;
  put_head(
      d, (struct description_node){(int64_t)words, (int64_t)combiner, lower_bound, extent, (int64_t)c->integer_count});
  for (size_t i = 0; i < c->integer_count; i++) word(d, c->integers[i]);
  word(d, (int64_t)c->address_count);
  for (size_t i = 0; i < c->address_count; i++) word(d, c->addresses[i]);
  word(d, (int64_t)c->child_count);
  for (size_t i = 0; i < c->child_count; i++) word(d, c->children[i]);
  *node = settled(d, start);
  return STOWAGE_OK;
}
