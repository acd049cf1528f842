#include <mpi.h>

#include "host-lying.h"

#include "heap-seen.h"
#include "host-reads.h"
#include "run-cursor.h"
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

/* All memory, by addresses. */
static int are_in_any(const struct elements *e, struct heap_block *block) {
  *block = (struct heap_block){host_reads_id(), NULL, SIZE_MAX, HEAP_NO_FILE};
  return e->code.run_bytes >= host_reads_from() && block->id != 0;
}

const struct element_runs *host_lying_runs(const struct elements *e, struct heap_block *block) {
  if (e->code.run_bytes < LEAST_RUN || e->bytes < LEAST_BYTES) return NULL;
  return are_in_block(e, block) || are_in_any(e, block) ? element_runs_of(e->code.kernel) : NULL;
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

static struct run_cursor cursor_of(const struct lying *list) {
  return (struct run_cursor){.groups = list->group,
                             .group_count = list->groups > MOST_RUN_GROUPS ? 0 : list->groups,
                             .elements = list->count,
                             .first = (uint64_t)list->first,
                             .extent = (uint64_t)list->extent};
}

/* Run by run, out of mapped memory: how many bytes, of which those behind the first `size` are passed over. Nobody
 * writes there: what reads packed bytes takes others that it may. */
static size_t read_mapped(const struct lying *list, const struct heap_view *view, size_t bytes, size_t size,
                          const struct host_taker *taker) {
  struct run_cursor c = cursor_of(list);
  size_t done = 0;
  for (uint64_t at, length; done < bytes && cursor_at(&c, &at, &length); done += (size_t)length) {
    if (length > bytes - done || at > view->bytes || length > view->bytes - at) break;
    const size_t left = done < size ? size - done : 0, wanted = length < left ? (size_t)length : left;
    if (wanted > 0) taker->read(taker->context, done, (unsigned char *)((uintptr_t)view->memory + at), wanted);
    cursor_pass(&c, length);
  }
  return done;
}

/* Where a message goes, run by run; 0: its elements are not known so. */
static int cursor_of_place(const struct host_taker *taker, struct run_cursor *c) {
  const struct host_place place = taker->place == NULL ? (struct host_place){0} : taker->place(taker->context);
  const struct element_runs *runs = place.kernel == NULL ? NULL : element_runs_of(place.kernel);
  if (runs == NULL) return 0;
  *c = (struct run_cursor){.groups = runs->groups,
                           .group_count = runs->count,
                           .elements = place.count,
                           .first = (uint64_t)(uintptr_t)place.user,
                           .extent = (uint64_t)stowage_move_at(place.kernel, STORE_UNPACK)->target.extent};
  return 1;
}

enum { BESIDE_BYTES = 32 << 10 };

/* Beside their place, as packed bytes. */
static size_t read_beside(struct run_cursor *from, pid_t process, size_t size, const struct host_taker *taker) {
  unsigned char packed[BESIDE_BYTES];
  size_t done = 0;
  while (done < size) {
    const size_t some = size - done < BESIDE_BYTES ? size - done : BESIDE_BYTES;
    const struct run_group whole = {(int64_t)(uintptr_t)packed, 0, some, 1};
    struct run_cursor to = {.groups = &whole, .group_count = 1, .elements = 1};
    if (host_reads(process, from, &to, some) < some) break;
    taker->read(taker->context, done, packed, some);
    done += some;
  }
  return done;
}

/* By the system, out of memory that is not mapped here. */
static size_t read_by_address(const struct lying *list, const struct heap_view *view, size_t bytes, size_t size,
                              const struct host_taker *taker) {
  struct run_cursor from = cursor_of(list), to;
  const size_t wanted = size < bytes ? size : bytes;
  const size_t done = cursor_of_place(taker, &to) ? host_reads(view->process, &from, &to, wanted)
                                                  : read_beside(&from, view->process, wanted, taker);
  return done == wanted ? bytes : done;
}

static void copy(void *packed, size_t offset, unsigned char *from, size_t length) {
  memcpy((unsigned char *)packed + offset, from, length);
}

/* Of all memory the block begins at address 0. */
void host_lying_copy(const struct inbox_message *m, const struct heap_block *block, size_t bytes, void *packed) {
  const struct heap_view view = {block->memory, block->bytes, 0};
  read_mapped(list_of(m), &view, bytes, bytes, &(struct host_taker){.read = copy, .context = packed});
}

int host_lying_take(struct inbox_message *m, size_t bytes, size_t size, const struct host_taker *taker, size_t *done) {
  uint32_t state = INBOX_LYING;
  struct heap_view view;
  if (atomic_load_explicit(&m->state, memory_order_acquire) != INBOX_LYING) return 0;
  const struct lying *list = list_of(m);
  /* One that cannot be read is packed: its sender waits for no one. */
  if (!heap_seen(list->block, &view)) return 0;
  if (!atomic_compare_exchange_strong(&m->state, &state, INBOX_READING)) return 0;
  *done = (view.memory != NULL ? read_mapped : read_by_address)(list, &view, bytes, size, taker);
  atomic_store_explicit(&m->state, INBOX_READ, memory_order_release);
  return 1;
}
