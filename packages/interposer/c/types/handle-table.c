/* Open addressing with linear probing (Knuth, TAOCP 3, 6.4, algorithms L and R), under a sequence lock: a reader whose
 * sequence changed meanwhile read nothing. Slots that were outgrown stay, since a reader may be in them: less than the
 * last in all. */
#include "handle-table.h"

#include <stdlib.h>

struct handle_slot {
  uintptr_t handle;
  void *value;
  uintptr_t holds;
};

struct handle_slots {
  size_t room;
  const struct handle_slots *outgrown;
  struct handle_slot slot[];
};

#define LOAD(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define STORE(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)

/* Fibonacci hashing: handles are addresses or small numbers in fields. */
static size_t home(uintptr_t handle, size_t room) {
  return (size_t)((uint64_t)handle * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (room - 1);
}

/* The slot of a handle, or the free one where it would stand; room if a reader was misled. */
static size_t slot_of(const struct handle_slots *slots, uintptr_t handle) {
  size_t at = home(handle, slots->room);
  for (size_t tries = 0; tries < slots->room; tries++, at = (at + 1) & (slots->room - 1)) {
    const uintptr_t there = LOAD(slots->slot[at].handle);
    if (there == handle || there == 0) return at;
  }
  return slots->room;
}

void *handle_find(struct handle_table *table, uintptr_t handle) {
  for (;;) {
    const unsigned before = __atomic_load_n(&table->sequence, __ATOMIC_ACQUIRE);
    const struct handle_slots *slots = __atomic_load_n(&table->slots, __ATOMIC_ACQUIRE);
    if (slots == NULL) return NULL;
    const size_t at = slot_of(slots, handle);
    void *value = NULL;
    if (at < slots->room && LOAD(slots->slot[at].handle) == handle) value = LOAD(slots->slot[at].value);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if ((before & 1) == 0 && LOAD(table->sequence) == before) return value;
  }
}

static void begin_change(struct handle_table *table) {
  STORE(table->sequence, table->sequence + 1);
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

static void end_change(struct handle_table *table) {
  __atomic_store_n(&table->sequence, table->sequence + 1, __ATOMIC_RELEASE);
}

static void set(struct handle_slot *slot, uintptr_t handle, void *value, uintptr_t holds) {
  STORE(slot->handle, handle);
  STORE(slot->value, value);
  slot->holds = holds;
}

/* Room for one more at most half full. */
static int grow(struct handle_table *table) {
  const struct handle_slots *old = table->slots;
  if (old != NULL && 2 * (table->used + 1) <= old->room) return 1;
  const size_t room = old == NULL ? 256 : 2 * old->room;
  struct handle_slots *slots = calloc(1, sizeof *slots + room * sizeof slots->slot[0]);
  if (slots == NULL) return 0;
  slots->room = room;
  slots->outgrown = old;
  for (size_t i = 0; old != NULL && i < old->room; i++)
    if (old->slot[i].handle != 0) slots->slot[slot_of(slots, old->slot[i].handle)] = old->slot[i];
  __atomic_store_n(&table->slots, slots, __ATOMIC_RELEASE);
  return 1;
}

int handle_put(struct handle_table *table, uintptr_t handle, void *value) {
  pthread_mutex_lock(&table->writing);
  const int has_room = grow(table);
  if (has_room) {
    struct handle_slot *slot = &table->slots->slot[slot_of(table->slots, handle)];
    begin_change(table);
    if (slot->handle == 0) {
      set(slot, handle, value, 1);
      table->used++;
    } else {
      STORE(slot->value, value);
    }
    end_change(table);
  }
  pthread_mutex_unlock(&table->writing);
  return has_room;
}

static struct handle_slot *known_slot(struct handle_table *table, uintptr_t handle) {
  if (table->slots == NULL) return NULL;
  struct handle_slot *slot = &table->slots->slot[slot_of(table->slots, handle)];
  return slot->handle == handle ? slot : NULL;
}

void handle_hold(struct handle_table *table, uintptr_t handle) {
  pthread_mutex_lock(&table->writing);
  struct handle_slot *slot = known_slot(table, handle);
  if (slot != NULL) slot->holds++;
  pthread_mutex_unlock(&table->writing);
}

/* Frees a slot, and moves those behind it that probing would no longer reach. */
static void remove_slot(struct handle_slots *slots, size_t hole) {
  const size_t mask = slots->room - 1;
  for (size_t at = (hole + 1) & mask; slots->slot[at].handle != 0; at = (at + 1) & mask) {
    const size_t wanted = home(slots->slot[at].handle, slots->room);
    if (((at - wanted) & mask) < ((at - hole) & mask)) continue;
    set(&slots->slot[hole], slots->slot[at].handle, slots->slot[at].value, slots->slot[at].holds);
    hole = at;
  }
  set(&slots->slot[hole], 0, NULL, 0);
}

void *handle_drop(struct handle_table *table, uintptr_t handle) {
  void *value = NULL;
  pthread_mutex_lock(&table->writing);
  struct handle_slot *slot = known_slot(table, handle);
  if (slot != NULL && --slot->holds == 0) {
    value = slot->value;
    begin_change(table);
    remove_slot(table->slots, (size_t)(slot - table->slots->slot));
    table->used--;
    end_change(table);
  }
  pthread_mutex_unlock(&table->writing);
  return value;
}
