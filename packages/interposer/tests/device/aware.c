/* An MPI that knows GPUs, for as much as messages.c asks of one: a library between the interposer and an MPI that does
 * not. It says so, takes buffers of devices in three calls by copying them, and tells at the end how many it was
 * handed. */
#include "cuda.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int cuPointerGetAttributes(unsigned count, const int *attributes, void **values, uint64_t address);

static unsigned handed;

int MPIX_Query_cuda_support(void) { return 1; }
int MPIX_GPU_query_support(int kind, int *takes) { return *takes = kind == 0, MPI_SUCCESS; }

__attribute__((destructor)) static void tell(void) { fprintf(stderr, "aware: %u buffers of devices\n", handed); }

static int is_device(const void *buffer) {
  const int memory_type = 2;
  unsigned type = 0;
  void *value = &type;
  return buffer != NULL && cuPointerGetAttributes(1, &memory_type, &value, (uintptr_t)buffer) == 0 && type == 2;
}

static size_t bytes_of(int count, MPI_Datatype type) {
  int size;
  PMPI_Type_size(type, &size);
  return (size_t)count * (size_t)size;
}

/* The buffer's bytes on the host, which the message keeps. */
static const void *fetched(const void *buffer, int count, MPI_Datatype type) {
  if (count == 0 || !is_device(buffer)) return buffer;
  void *copy = malloc(bytes_of(count, type) + 1);
  handed++;
  if (cuMemcpyDtoH_v2(copy, (uintptr_t)buffer, bytes_of(count, type)) != 0) abort();
  return copy;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm communicator,
              MPI_Request *request) {
  return PMPI_Isend(fetched(buffer, count, type), count, type, target, tag, communicator, request);
}

int MPI_Sendrecv(const void *sent, int sent_count, MPI_Datatype sent_type, int target, int sent_tag, void *received,
                 int count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Status *status) {
  void *place = is_device(received) ? malloc(bytes_of(count, type) + 1) : received;
  const int code = PMPI_Sendrecv(fetched(sent, sent_count, sent_type), sent_count, sent_type, target, sent_tag, place,
                                 count, type, source, tag, communicator, status);
  if (place == received) return code;
  handed++;
  if (cuMemcpyHtoD_v2((uintptr_t)received, place, bytes_of(count, type)) != 0) abort();
  free(place);
  return code;
}

int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int target, int sent_tag, int source, int tag,
                         MPI_Comm communicator, MPI_Status *status) {
  void *place = (void *)fetched(buffer, count, type);
  const int code = PMPI_Sendrecv_replace(place, count, type, target, sent_tag, source, tag, communicator, status);
  if (place == buffer) return code;
  if (cuMemcpyHtoD_v2((uintptr_t)buffer, place, bytes_of(count, type)) != 0) abort();
  free(place);
  return code;
}
