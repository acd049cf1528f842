#include <mpi.h>

#include "host-lying.h"

#include "heap-seen.h"
#include "store.h"

#include <string.h>

/* Measured: copies out of memory that both map take half of the time of pieces in an exchange, and the same there and
 * back (docs/notes/2026-11-29-where-they-lie.md). */
enum { LEAST_RUN = 2 << 10, LEAST_BYTES = 64 << 10 };

/* `count` elements' runs, `extent` apart, of which the first's address 0 lies `first` bytes behind the block's
 * beginning. */
struct lying {
  uint64_t block, count;
  int64_t first, extent;
  uint64_t groups;
  struct run_group group[];
};
_Static_assert(sizeof(struct lying) + MOST_RUN_GROUPS * sizeof(struct run_group) <= LEAST_BYTES, "the list has room");

/* From the first byte of any element to the last. */
static int are_in_block(const struct elements *e, struct heap_block *block) {
  const struct stowage_bounds *bounds = &stowage_move_at(e->code.kernel, STORE_PACK)->source;
  const int64_t last = (int64_t)(e->count - 1) * bounds->extent;
  const uintptr_t first = (uintptr_t)e->user + (uintptr_t)(bounds->true_lower_bound + (last < 0 ? last : 0));
  const uintptr_t span = (uintptr_t)(bounds->true_extent + (last < 0 ? -last : last));
  return heap_block_of(first, first + span, block);
}

const struct element_runs *host_lying_runs(const struct elements *e, struct heap_block *block) {
  if (e->code.run_bytes < LEAST_RUN || e->bytes < LEAST_BYTES || !are_in_block(e, block)) return NULL;
  return element_runs_of(&e->code);
}

static struct lying *list_of(const struct inbox_message *m) { return (struct lying *)(uintptr_t)m->bytes; }

void host_lying_offer(struct inbox_message *m, const struct elements *e, const struct element_runs *runs,
                      const struct heap_block *block) {
  struct lying *list = list_of(m);
  *list = (struct lying){.block = block->id,
                         .count = (uint64_t)e->count,
                         .first = (int64_t)((uintptr_t)e->user - (uintptr_t)block->memory),
                         .extent = stowage_move_at(e->code.kernel, STORE_PACK)->source.extent,
                         .groups = runs->count};
  memcpy(list->group, runs->groups, runs->count * sizeof *runs->groups);
  atomic_store_explicit(&m->state, INBOX_LYING, memory_order_release);
}

/* The runs of a message that are read: how many of its bytes are done. */
struct reading {
  const unsigned char *memory;
  size_t memory_bytes, bytes, size, done;
  host_offer_reader *read;
  void *context;
};

/* 0: it leads outside, or the message has no more. */
static int read_run(struct reading *r, uint64_t at, uint64_t length) {
  if (length == 0 || length > r->bytes - r->done || at > r->memory_bytes || length > r->memory_bytes - at) return 0;
  const size_t left = r->done < r->size ? r->size - r->done : 0, wanted = length < left ? (size_t)length : left;
  /* Nobody writes there: what reads packed bytes takes others that it may. */
  if (wanted > 0) r->read(r->context, r->done, (unsigned char *)(uintptr_t)(r->memory + at), wanted);
  r->done += (size_t)length;
  return r->done < r->bytes;
}

static int read_group(struct reading *r, const struct run_group *group, uint64_t from) {
  uint64_t at = from + (uint64_t)group->offset;
  for (uint64_t i = 0; i < group->count; i++, at += (uint64_t)group->stride)
    if (!read_run(r, at, group->length)) return 0;
  return 1;
}

static void read_all(struct reading *r, const struct lying *list) {
  const uint64_t groups = list->groups, first = (uint64_t)list->first, extent = (uint64_t)list->extent;
  for (uint64_t i = 0; i < list->count && groups > 0 && groups <= MOST_RUN_GROUPS; i++)
    for (uint64_t g = 0; g < groups; g++)
      if (!read_group(r, &list->group[g], first + i * extent)) return;
}

static void copy(void *packed, size_t offset, unsigned char *from, size_t length) {
  memcpy((unsigned char *)packed + offset, from, length);
}

void host_lying_copy(const struct inbox_message *m, const struct heap_block *block, size_t bytes, void *packed) {
  struct reading r = {block->memory, block->bytes, bytes, bytes, 0, copy, packed};
  read_all(&r, list_of(m));
}

int host_lying_take(struct inbox_message *m, size_t bytes, size_t size, host_offer_reader *read, void *context,
                    size_t *done) {
  uint32_t state = INBOX_LYING;
  if (atomic_load_explicit(&m->state, memory_order_acquire) != INBOX_LYING) return 0;
  const struct lying *list = list_of(m);
  struct reading r = {.bytes = bytes, .size = size, .read = read, .context = context};
  /* One that is not mapped is packed: its sender waits for no one. */
  if ((r.memory = heap_seen(list->block, &r.memory_bytes)) == NULL) return 0;
  if (!atomic_compare_exchange_strong(&m->state, &state, INBOX_READING)) return 0;
  read_all(&r, list);
  atomic_store_explicit(&m->state, INBOX_READ, memory_order_release);
  *done = r.done;
  return 1;
}
