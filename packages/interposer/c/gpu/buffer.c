#include "buffer.h"

#include "mode.h"
#include "store.h"
#include "takes-gpus.h"

/* Types with lower bounds, and those of addresses, need not lie where the pointer leads. */
static int leads_to_device(const struct gpu_buffer *b, struct gpu_place *place) {
  return driver_holds(b->user + b->facts.true_lower, place) ||
         (b->facts.true_lower != 0 && driver_holds(b->user, place));
}

int buffer_lies(const void *user, MPI_Count count, MPI_Datatype type, struct gpu_buffer *b) {
  struct gpu_place place;
  if (count <= 0) return 0;
  const int is_device = driver_holds(user, &place);
  *b = (struct gpu_buffer){
      .user = (unsigned char *)(uintptr_t)user, .count = (size_t)count, .type = type, .place = place};
  if (!(is_device ? gpu_type_of : gpu_type_known)(type, &b->facts) || b->facts.size == 0) return 0;
  if (!is_device && (b->facts.true_lower == 0 || !leads_to_device(b, &b->place))) return 0;
  b->bytes = b->count * b->facts.size;
  return 1;
}

int buffer_takes(const void *user, MPI_Count count, MPI_Datatype type, struct gpu_buffer *b) {
  return buffer_lies(user, count, type, b) && !(b->facts.is_dense && mpi_takes_gpus());
}

int buffer_is_there(const struct gpu_buffer *b) {
  struct gpu_place now;
  return leads_to_device(b, &now) && driver_is_same_place(&now, &b->place);
}

static int is_copy(const stowage_kernel *kernel) {
  const struct stowage_move *move = stowage_move_at(kernel, STORE_PACK);
  const struct stowage_bounds *bounds = &move->source;
  return move->direction == STOWAGE_COPY && bounds->extent == move->size && bounds->true_extent == move->size &&
         bounds->true_lower_bound == 0;
}

int buffer_is_dense(const struct gpu_buffer *b) {
  const stowage_kernel *kernel = b->facts.is_dense ? NULL : gpu_type_kernel(&b->facts);
  return b->facts.is_dense || (kernel != NULL && is_copy(kernel));
}

const stowage_kernel *buffer_kernel(const struct gpu_buffer *b) {
  if (__atomic_load_n(&mode_paused, __ATOMIC_RELAXED) || b->facts.is_dense) return NULL;
  const stowage_kernel *kernel = gpu_type_kernel(&b->facts);
  return kernel == NULL || is_copy(kernel) ? NULL : kernel;
}

int buffer_is_launched(const struct gpu_buffer *b) { return buffer_is_dense(b) || buffer_kernel(b) != NULL; }

size_t buffer_block_bytes(const struct gpu_buffer *b) {
  const stowage_kernel *kernel = buffer_kernel(b);
  if (kernel != NULL) return (size_t)stowage_gpu_block_bytes(kernel);
  return buffer_is_dense(b) ? b->bytes : 0;
}
