#include "attach.h"

#include "operation.h"
#include "watch.h"

void gates_begin(void) {
  gate_watch(GATE_DEVICE, device_watch);
  gate_watch(GATE_OPERATIONS, &device_operations);
}
