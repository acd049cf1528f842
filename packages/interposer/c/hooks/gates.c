#include "attach.h"

#include "operation.h"
#include "watch.h"

void gates_begin(void) {
  gate_watch(GATE_DEVICE, gpu_watch);
  gate_watch(GATE_OPERATIONS, &gpu_operations);
}
