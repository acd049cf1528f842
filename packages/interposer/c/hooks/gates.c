#include "attach.h"

#include "operation.h"
#include "watch.h"

static void watch_device(void *const *word) { gate_watch(GATE_DEVICE, word); }

void gates_begin(void) {
  gpu_watch_moved = watch_device;
  watch_device(gpu_watch);
  gate_watch(GATE_OPERATIONS, &gpu_operations);
}
