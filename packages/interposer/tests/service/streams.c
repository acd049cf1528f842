/* A C program over libstowage on a device: packs and unpacks on a stream what the host packs and unpacks. Prints how
 * much was wrong. */
#include "../device/cuda.h"
#include "stowage_streams.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 33, COLUMNS = 21, COUNT = 3, SIZE = COUNT * ROWS * 8 };

int main(void) {
  static int matrix[COUNT * ROWS * COLUMNS], other[COUNT * ROWS * COLUMNS], expected[COUNT * ROWS * COLUMNS];
  static unsigned char host[SIZE], device[SIZE];
  void *current;
  uint64_t scattered, packed;
  int result, wrong = 0;
  for (int i = 0; i < COUNT * ROWS * COLUMNS; i++) matrix[i] = i * 7919;
  if (cuInit(0) != 0 || cuCtxCreate_v2(&current, 0, 0) != 0) return 2;
  if (cuMemAlloc_v2(&scattered, sizeof matrix) != 0 || cuMemAlloc_v2(&packed, SIZE) != 0) return 2;
  stowage_gpu *gpu = stowage_gpu_open();
  stowage_context *context = stowage_open(NULL);
  stowage_builder *builder = stowage_builder_new(STOWAGE_STANDARD);
  stowage_type *type, *alone;
  const stowage_node column = stowage_vector(builder, ROWS, 2, COLUMNS, stowage_named(builder, "MPI_INT"));
  if (stowage_commit(context, builder, column, &type) != STOWAGE_OK) return 2;
  if (stowage_commit(NULL, builder, column, &alone) != STOWAGE_OK) return 2;
  stowage_builder_free(builder);
  wrong += stowage_stream_pack(gpu, scattered, COUNT, alone, packed, SIZE, NULL, &result) != STOWAGE_NO_CODE;
  wrong += stowage_stream_wait_code(type, (int64_t)60 * 1000000000) != STOWAGE_OK;
  wrong += stowage_stream_pack(gpu, scattered, COUNT, type, packed, SIZE - 1, NULL, &result) != STOWAGE_RANGE;
  cuMemcpyHtoD_v2(scattered, matrix, sizeof matrix);
  wrong += stowage_stream_pack(gpu, scattered, COUNT, type, packed, SIZE, NULL, &result) != STOWAGE_OK;
  cuCtxSynchronize();
  cuMemcpyDtoH_v2(device, packed, SIZE);
  stowage_pack(matrix, COUNT, alone, host, SIZE);
  wrong += memcmp(host, device, SIZE) != 0;
  memset(other, 0x5a, sizeof other);
  memset(expected, 0x5a, sizeof expected);
  cuMemcpyHtoD_v2(scattered, other, sizeof other);
  wrong += stowage_stream_unpack(gpu, packed, SIZE, type, scattered, COUNT, NULL, &result) != STOWAGE_OK;
  cuCtxSynchronize();
  cuMemcpyDtoH_v2(other, scattered, sizeof other);
  stowage_unpack(host, SIZE, alone, expected, COUNT);
  wrong += memcmp(expected, other, sizeof other) != 0;
  printf("%d wrong\n", wrong);
  stowage_type_free(type);
  stowage_type_free(alone);
  stowage_close(context);
  stowage_gpu_forget(gpu);
  cuCtxDestroy_v2(current);
  return wrong != 0;
}
