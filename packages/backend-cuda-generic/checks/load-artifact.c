// Runs an exported artifact through libcuda alone: load-artifact FOLDER. Build, here: cc load-artifact.c -lcuda
#include "../../../runtime/launch.h"

#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(CUresult result, const char *call) {
  if (result == CUDA_SUCCESS) return;
  const char *text = "unknown";
  cuGetErrorString(result, &text);
  fprintf(stderr, "%s: %s\n", call, text);
  exit(1);
}

static unsigned char *load(const char *folder, const char *name, size_t *size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = calloc(1, *size + 1);
  if (fread(bytes, 1, *size, file) != *size) {
    perror(path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

static CUdeviceptr upload(const void *bytes, size_t size) {
  CUdeviceptr address;
  check(cuMemAlloc(&address, size ? size : 1), "cuMemAlloc");
  if (size) check(cuMemcpyHtoD(address, bytes, size), "cuMemcpyHtoD");
  return address;
}

int main(int count, char **arguments) {
  const char *folder = count > 1 ? arguments[1] : "artifact";
  size_t size, lookaside_bytes, source_bytes, target_bytes, expected_bytes;
  char entry[512];
  unsigned parameter_bytes, word, threads, unroll;
  unsigned long long reach, packed, start;
  char *text = (char *)load(folder, "launch.txt", &size);
  if (sscanf(text, "%511s %u %u %u %u %llu %llu %llu", entry, &parameter_bytes, &word, &threads, &unroll, &reach,
             &packed, &start) != 8)
    return 1;

  check(cuInit(0), "cuInit");
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(cuModuleLoadData(&module, load(folder, "kernel.ptx", &size)), "cuModuleLoadData");
  check(cuModuleGetFunction(&kernel, module, entry), "cuModuleGetFunction");

  unsigned char *lookaside = load(folder, "lookaside.bin", &lookaside_bytes);
  unsigned char *source_nodes = load(folder, "source-nodes.bin", &source_bytes);
  unsigned char *target_nodes = load(folder, "target-nodes.bin", &target_bytes);
  unsigned char *expected = load(folder, "expected.bin", &expected_bytes);
  unsigned char *image = malloc(reach);
  for (unsigned long long i = 0; i < reach; i++)
    image[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7);
  CUdeviceptr source = upload(image, reach), target = upload(image, 0);
  check(cuMemFree(target), "cuMemFree");
  check(cuMemAlloc(&target, packed), "cuMemAlloc");

  // Record 1 of either side's nodes is one element. Whole words only.
  unsigned char *block = calloc(1, parameter_bytes);
  const uint64_t tables = upload(lookaside, lookaside_bytes);
  const size_t source_at = launch_nodes_at(1),
               target_at = launch_put_nodes(block, source_at, source_nodes, source_bytes, tables);
  launch_put_nodes(block, target_at, target_nodes, target_bytes, tables);
  const struct launch_cut cut = launch_cut_of(0, (int64_t)(packed / word * word), word);
  const int64_t tiles = launch_tiles(cut, threads, unroll);
  const size_t element = sizeof(struct launch_node);
  launch_put_transfer(block, 0, 0, word, source + start, target, source_at + element, target_at + element, cut);
  launch_put_header(block, 1, (uint32_t)tiles);

  size_t bytes = parameter_bytes;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  check(cuLaunchKernel(kernel, (unsigned)tiles, 1, 1, threads, 1, 1, 0, 0, NULL, extra), "cuLaunchKernel");
  check(cuCtxSynchronize(), "cuCtxSynchronize");
  unsigned char *got = malloc(packed);
  check(cuMemcpyDtoH(got, target, packed), "cuMemcpyDtoH");
  int same = packed == expected_bytes && memcmp(got, expected, packed) == 0;
  printf("%llu bytes packed by %s: %s\n", packed, entry, same ? "right" : "WRONG");
  return same ? 0 : 1;
}
