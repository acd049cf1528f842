#include "attach.h"

#include "host-choice.h"
#include "host-offer.h"
#include "host-send.h"
#include "operation.h"
#include "watch.h"

static gate_word *of_device, *of_sends, *of_receives, *of_starts;
static const uintptr_t opened = 1;

/* Sends may be a device's, or go past the MPI, and receives be tried for that: once they may, that is for good. */
static void open_sends(void) {
  __atomic_store_n(of_sends, &opened, __ATOMIC_RELEASE);
  __atomic_store_n(of_starts, &opened, __ATOMIC_RELEASE);
  if (host_is_measured()) __atomic_store_n(of_receives, &opened, __ATOMIC_RELEASE);
}

/* Whatever receives, alone or beside a send. */
static void open_receives(void) {
  __atomic_store_n(of_sends, &opened, __ATOMIC_RELEASE);
  __atomic_store_n(of_receives, &opened, __ATOMIC_RELEASE);
}

static void watch_unless_opened(gate_word *gate, void *const *word) {
  if (*gate != &opened) __atomic_store_n(gate, (gate_word)word, __ATOMIC_RELEASE);
}

static void watch_device(void *const *word) {
  __atomic_store_n(of_device, (gate_word)word, __ATOMIC_RELEASE);
  watch_unless_opened(of_sends, word);
  watch_unless_opened(of_receives, word);
}

void gates_begin(gate_word gates[GATES]) {
  of_device = &gates[GATE_DEVICE];
  of_sends = &gates[GATE_SENDS];
  of_receives = &gates[GATE_RECEIVES];
  of_starts = &gates[GATE_STARTS];
  *of_sends = *of_receives = NULL;
  gpu_watch_moved = watch_device;
  host_sends_opened = open_sends;
  host_looks_begin = open_receives;
  watch_device(gpu_watch);
  __atomic_store_n(of_starts, &operation_count, __ATOMIC_RELEASE);
  __atomic_store_n(&gates[GATE_OPERATIONS], &operation_count, __ATOMIC_RELEASE);
}
