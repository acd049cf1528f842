#define _GNU_SOURCE 1
#include "buffer.h"

#include "route-ipc.h"
#include "route-pipelined.h"
#include "next.h"
#include "types.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* An MPI that knows GPUs takes what lies side by side itself. */
int device_mpi_knows(void) {
  static int known = -1;
  if (known < 0) {
    int (*query)(void);
    *(void **)(void *)&query = next_function("MPIX_Query_cuda_support");
    known = query != NULL && query() != 0;
  }
  return known;
}

/* Types with lower bounds, and those of addresses, need not lie where the pointer leads. */
static int leads_to_device(struct device_buffer *b) {
  return device_holds(b->user + b->facts.true_lower, &b->place) || (b->facts.true_lower != 0 && device_holds(b->user, &b->place));
}

int device_lies(const void *user, MPI_Count count, MPI_Datatype type, struct device_buffer *b) {
  struct device_place place;
  if (count <= 0) return 0;
  const int is_device = device_holds(user, &place);
  *b = (struct device_buffer){.user = (unsigned char *)(uintptr_t)user, .count = (size_t)count, .type = type, .place = place};
  if (!(is_device ? device_type_of : device_type_known)(type, &b->facts) || b->facts.size == 0) return 0;
  if (!is_device && (b->facts.true_lower == 0 || !leads_to_device(b))) return 0;
  b->bytes = b->count * b->facts.size;
  return 1;
}

int device_takes(const void *user, MPI_Count count, MPI_Datatype type, struct device_buffer *b) {
  return device_lies(user, count, type, b) && !(b->facts.is_dense && device_mpi_knows());
}

int device_is_whole_among(MPI_Comm communicator) {
#ifdef OPEN_MPI
  return (void)communicator, 0;
#else
  int size = 1;
  return NEXT(PMPI_Comm_size)(communicator, &size) != MPI_SUCCESS || size == 1;
#endif
}

/* Where the program goes on with an error, it must hear of the cause; where it does not, natively it would have ended here. */
int device_failed(const char *what, int result) {
  const char *name = "another result";
  char line[256];
  if (stowage_cuda()->cuGetErrorName(result, &name) != 0 || name == NULL) name = "an unknown result";
  const int letters = snprintf(line, sizeof line, "stowage: %s: expected CUDA_SUCCESS, got %s\n", what, name);
  if (letters > 0 && write(STDERR_FILENO, line, (size_t)letters) < 0) return MPI_ERR_OTHER;
  return result == STOWAGE_CUDA_OUT_OF_MEMORY ? MPI_ERR_NO_MEM : MPI_ERR_OTHER;
}

int device_raise(MPI_Comm communicator, int class) {
  NEXT(PMPI_Comm_call_errhandler)(communicator, class);
  return class;
}

int device_stage(struct device_buffer *b) {
  int result;
  struct device_context *context = device_enter(&b->place, &result);
  if (context == NULL) return device_failed("context of a device buffer", result);
  b->staging = staging_take(context, b->bytes, &result);
  device_leave(context);
  if (b->staging == NULL) return device_failed("pinned memory for a device buffer", result);
  b->packed = b->staging->memory;
  b->given.memory = b->packed;
  b->given.count = (int)b->count;
  b->given.type = b->facts.packed;
  return MPI_SUCCESS;
}

int device_make_envelope(struct device_buffer *b, unsigned char *memory, int is_sender) {
  MPI_Datatype type;
  if (!envelope_type(b->bytes, &type) || (b->envelope = calloc(1, sizeof *b->envelope)) == NULL) return 0;
  b->envelope->memory = memory;
  b->envelope->is_sender = is_sender;
  b->envelope->peer = b->envelope->piece.index = -1;
  b->given.memory = b->envelope;
  b->given.count = 1;
  b->given.type = type;
  return 1;
}

int device_keep_type(struct device_buffer *b) {
  MPI_Datatype own;
  if (NEXT(PMPI_Type_dup)(b->type, &own) != MPI_SUCCESS) return MPI_ERR_NO_MEM;
  types_duplicated(b->type, own);
  b->type = own;
  b->owns_type = 1;
  return MPI_SUCCESS;
}

void device_release(struct device_buffer *b) {
  pipeline_release(b);
  direct_release(b);
  staging_give(b->staging);
  b->staging = NULL;
  if (!b->owns_type) return;
  types_freed(b->type);
  NEXT(PMPI_Type_free)(&b->type);
  b->owns_type = 0;
}
