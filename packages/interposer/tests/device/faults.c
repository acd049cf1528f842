/* What may go wrong with memory of a device: faults CASE. One process that sends to itself; prints what became of it.
 */
#define _GNU_SOURCE 1
#include "cuda.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 1500, STRIDE = 3, SPAN = BLOCKS * STRIDE * 8 };

static MPI_Datatype column;
static unsigned char bytes[SPAN], got[SPAN];

static void *pointer(uint64_t address) { return (void *)(uintptr_t)address; }

static void *new_context(void) {
  void *context = NULL;
  if (cuCtxCreate_v2(&context, 0, 0) != 0) exit(2);
  return context;
}

static uint64_t allocated(int (*allocate)(uint64_t *, size_t)) {
  uint64_t address = 0;
  if (allocate(&address, SPAN) != 0) exit(3);
  return address;
}

static int managed(uint64_t *address, size_t size) { return cuMemAllocManaged(address, size, 1); }
static int pooled(uint64_t *address, size_t size) { return cuMemAllocAsync(address, size, NULL); }

/* Sends a column to a buffer that has none of its bytes yet, and tells how many are wrong. */
static int exchange(uint64_t from, uint64_t to) {
  int wrong = 0;
  cuMemcpyHtoD_v2(from, bytes, SPAN);
  memset(got, 0, SPAN);
  cuMemcpyHtoD_v2(to, got, SPAN);
  const int status =
      MPI_Sendrecv(pointer(from), 1, column, 0, 1, pointer(to), 1, column, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  int class = MPI_SUCCESS;
  MPI_Error_class(status, &class);
  if (class == MPI_ERR_NO_MEM) return puts("no memory"), 0;
  if (status != MPI_SUCCESS) return printf("class %d\n", class), 1;
  cuMemcpyDtoH_v2(got, to, SPAN);
  for (int i = 0; i < SPAN; i++) wrong += got[i] != (i / 8 % STRIDE == 0 ? bytes[i] : 0);
  printf("%d bytes wrong\n", wrong);
  return wrong != 0;
}

/* The message is complete in the MPI; its buffer, or all of its context, is not there any more. */
static int in_flight(int destroys) {
  void *context = new_context();
  const uint64_t from = allocated(cuMemAlloc_v2), to = allocated(cuMemAlloc_v2);
  MPI_Request requests[2];
  int class = MPI_SUCCESS;
  cuMemcpyHtoD_v2(from, bytes, SPAN);
  MPI_Irecv(pointer(to), 1, column, 0, 1, MPI_COMM_SELF, &requests[0]);
  MPI_Isend(pointer(from), 1, column, 0, 1, MPI_COMM_SELF, &requests[1]);
  if (destroys) cuCtxDestroy_v2(context);
  else cuMemFree_v2(to);
  const int status = MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Error_class(status, &class);
  puts(class == MPI_ERR_BUFFER ? "buffer" : "another class");
  if (!destroys) return exchange(from, allocated(cuMemAlloc_v2));
  new_context();
  return exchange(allocated(cuMemAlloc_v2), allocated(cuMemAlloc_v2));
}

/* Each in a context of its own, and neither is current when the message goes. */
static int other_contexts(void) {
  void *popped, *first = new_context();
  const uint64_t from = allocated(cuMemAlloc_v2);
  cuCtxPopCurrent_v2(&popped);
  new_context();
  const uint64_t to = allocated(cuMemAlloc_v2);
  cuCtxPopCurrent_v2(&popped);
  const int wrong = exchange(from, to);
  return wrong || popped == first;
}

/* Receives that one Waitall completes: how many launches that took. */
static int together(void) {
  enum { MESSAGES = 12 };
  unsigned (*launches)(void) = NULL;
  MPI_Request requests[2 * MESSAGES];
  uint64_t from, to[MESSAGES];
  int wrong = 0;
  *(void **)(void *)&launches = dlsym(RTLD_DEFAULT, "standin_launches");
  new_context();
  from = allocated(cuMemAlloc_v2);
  cuMemcpyHtoD_v2(from, bytes, SPAN);
  for (int i = 0; i < MESSAGES; i++) {
    to[i] = allocated(cuMemAlloc_v2);
    MPI_Irecv(pointer(to[i]), 1, column, 0, i, MPI_COMM_SELF, &requests[i]);
    MPI_Isend(pointer(from), 1, column, 0, i, MPI_COMM_SELF, &requests[MESSAGES + i]);
  }
  const unsigned before = launches();
  MPI_Waitall(2 * MESSAGES, requests, MPI_STATUSES_IGNORE);
  const unsigned after = launches();
  for (int m = 0; m < MESSAGES; m++) {
    cuMemcpyDtoH_v2(got, to[m], SPAN);
    for (int i = 0; i < SPAN; i++) wrong += i / 8 % STRIDE == 0 && got[i] != bytes[i];
  }
  printf("%u launches, %d bytes wrong\n", after - before, wrong);
  return wrong != 0;
}

static int of(int (*allocate)(uint64_t *, size_t)) {
  return new_context(), exchange(allocated(allocate), allocated(allocate));
}

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "";
  int wrong = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Type_vector(BLOCKS, 1, STRIDE, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (int i = 0; i < SPAN; i++) bytes[i] = (unsigned char)(i * 131 + 7);
  if (cuInit(0) != 0) return 4;
  if (strcmp(which, "plain") == 0) wrong = of(cuMemAlloc_v2);
  if (strcmp(which, "managed") == 0) wrong = of(managed);
  if (strcmp(which, "pool") == 0) wrong = of(pooled);
  if (strcmp(which, "contexts") == 0) wrong = other_contexts();
  if (strcmp(which, "together") == 0) wrong = together();
  if (strcmp(which, "freed") == 0) wrong = in_flight(0);
  if (strcmp(which, "destroyed") == 0) wrong = in_flight(1);
  MPI_Type_free(&column);
  MPI_Finalize();
  return wrong;
}
