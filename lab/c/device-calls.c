/* What calls of the CUDA driver cost that the interposer makes for each device buffer: device-calls. Nanoseconds each,
 * the least of several rounds, in a line of JSON. gcc -O2 -o device-calls lab/c/device-calls.c -l:libcuda.so.1 */
#include "cuda-abi.h"
#include "samples.h"

#include <stdio.h>

enum { ROUNDS = 20, CALLS = 5000 };

static uint64_t device;
static void *context, *found;
static char host[64];
static unsigned type, managed;
static int ordinal;
static unsigned long long id;
static const int attributes[] = {2, 8, 1, 9};
static void *values[] = {&type, &managed, &found, &ordinal};

static void one_of_device(void) { cuPointerGetAttribute(&type, 2, device); }
static void one_of_host(void) { cuPointerGetAttribute(&type, 2, (uintptr_t)host); }
static void four_of_device(void) { cuPointerGetAttributes(4, attributes, values, device); }
static void four_of_host(void) { cuPointerGetAttributes(4, attributes, values, (uintptr_t)host); }
static void current(void) { cuCtxGetCurrent(&found); }
static void number(void) { cuCtxGetId(context, &id); }

static double least_ns(void (*call)(void)) {
  double least = 1e18;
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now_ns();
    for (int i = 0; i < CALLS; i++) call();
    const double ns = (now_ns() - start) / CALLS;
    if (ns < least) least = ns;
  }
  return least;
}

int main(void) {
  if (cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxPushCurrent_v2(context) != 0 ||
      cuMemAlloc_v2(&device, 1 << 20) != 0)
    return 1;
  printf("{\"pointerAttributeOfDevice\":%.0f,\"pointerAttributeOfHost\":%.0f,", least_ns(one_of_device),
         least_ns(one_of_host));
  printf("\"pointerAttributesOfDevice\":%.0f,\"pointerAttributesOfHost\":%.0f,", least_ns(four_of_device),
         least_ns(four_of_host));
  printf("\"currentContext\":%.0f,\"contextId\":%.0f}\n", least_ns(current), least_ns(number));
  return 0;
}
