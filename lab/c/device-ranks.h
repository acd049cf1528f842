/* What programs share whose ranks have a device each, by turns where there are fewer devices. They print a line of JSON
 * a figure, and are compiled and run so, or by their experiment (npx lab run interposer-device --help):
 *   mpicc -O2 -o PROGRAM lab/c/PROGRAM.c -l:libcuda.so.1
 *   stowage run -- mpirun -n RANKS ./PROGRAM ARGUMENTS > LINES
 * Without the interposer an MPI that knows no GPUs ends by SIGSEGV at the first message. */
#ifndef DEVICE_RANKS_H
#define DEVICE_RANKS_H

#include "cuda-abi.h"

#include <mpi.h>
#include <stdio.h>

enum { LAUNCH_THREADS = 128 };

static int rank, ranks, devices;

static inline void must(int result, const char *call) {
  if (result == 0) return;
  fprintf(stderr, "rank %d: %s: expected 0, got %d\n", rank, call, result);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* MPI, and this rank's device with its context current. */
static inline void start_ranks(int *argc, char ***argv) {
  void *context;
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  must(cuInit(0), "cuInit");
  must(cuDeviceGetCount(&devices), "cuDeviceGetCount");
  must(cuDevicePrimaryCtxRetain(&context, rank % devices), "cuDevicePrimaryCtxRetain");
  must(cuCtxPushCurrent_v2(context), "cuCtxPushCurrent");
}

static inline void *device_pointer(uint64_t address) { return (void *)(uintptr_t)address; }

static inline void *pinned_memory(size_t bytes) {
  void *memory;
  must(cuMemHostAlloc(&memory, bytes, 1), "cuMemHostAlloc");
  return memory;
}

static inline void *module_at(const char *path) {
  void *module;
  must(cuModuleLoad(&module, path), "cuModuleLoad");
  return module;
}

static inline void *kernel_of(void *module, const char *name) {
  void *kernel;
  must(cuModuleGetFunction(&kernel, module, name), "cuModuleGetFunction");
  return kernel;
}

/* A thread for each of so many words or cells. */
static inline void launch_threads(void *kernel, long threads, void *stream, void **parameters) {
  const unsigned blocks = (unsigned)((threads + LAUNCH_THREADS - 1) / LAUNCH_THREADS);
  must(cuLaunchKernel(kernel, blocks, 1, 1, LAUNCH_THREADS, 1, 1, 0, stream, parameters, NULL), "cuLaunchKernel");
}

static inline void synchronise(void *stream) { must(cuStreamSynchronize(stream), "cuStreamSynchronize"); }

#endif
