#include "attach.h"

#include "operation.h"
#include "watch.h"

static gate_word *of_device;

static void watch_device(void *const *word) { __atomic_store_n(of_device, (gate_word)word, __ATOMIC_RELEASE); }

void gates_begin(gate_word gates[GATES]) {
  of_device = &gates[GATE_DEVICE];
  gpu_watch_moved = watch_device;
  watch_device(gpu_watch);
  __atomic_store_n(&gates[GATE_OPERATIONS], &gpu_operations, __ATOMIC_RELEASE);
}
