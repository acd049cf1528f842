#include "offered.h"

#include "next.h"
#include "predefined.h"

#include <string.h>

static int supports(const struct message *m) { return m->state != NULL; }
static int give(struct message *m) { return (void)m, MPI_SUCCESS; }
static void copy(void *elements, size_t offset, unsigned char *packed, size_t length) {
  memcpy((unsigned char *)elements + offset, packed, length);
}

void offered_look(unsigned char *bytes, size_t count) {
  struct host_offer offer;
  if (offered_maybe() && count >= HOST_OFFER_BYTES && host_offer_is(bytes, &offer))
    host_offer_take(&offer, count, &(struct host_taker){.read = copy, .context = bytes});
}

static int arrived(struct message *m, size_t bytes, struct gpu_move *move) {
  *move = (struct gpu_move){.buffer = &m->buffer};
  offered_look(m->state, bytes);
  return MPI_SUCCESS;
}

static void release(struct message *m) { (void)m; }

static const struct route route_offered = {"offered", supports, give, NULL, NULL, arrived, NULL, release};

/* What the MPI would refuse is the MPI's. */
static int is_message(const struct call *call) {
  return call->count > 0 && call->peer != MPI_PROC_NULL && call->type != PREDEFINED_NO_TYPE &&
         call->communicator != PREDEFINED_NULL;
}

/* Where elements of a type begin whose bytes lie side by side, one behind the other. 0: they do not; what they are of
 * others passes our code, whatever the MPI thinks of them. */
static int is_dense(const struct call *call, MPI_Count size, MPI_Count *first) {
  MPI_Count lower, extent, true_extent;
  if (NEXT(PMPI_Type_get_true_extent_x)(call->type, first, &true_extent) != MPI_SUCCESS || true_extent != size)
    return 0;
  if (call->count == 1) return 1;
  return NEXT(PMPI_Type_get_extent_x)(call->type, &lower, &extent) == MPI_SUCCESS && extent == size;
}

int offered_is_received(const struct call *call, struct message *m) {
  MPI_Count size = 0, first = 0, bytes;
  if (!is_message(call) || NEXT(PMPI_Type_size_x)(call->type, &size) != MPI_SUCCESS) return 0;
  if (__builtin_mul_overflow(size, call->count, &bytes) || bytes < HOST_OFFER_LEAST) return 0;
  if (!is_dense(call, size, &first)) return 0;
  /* It is not moved by its type, which nobody has to keep. */
  m->buffer = buffer_on_host(call->user, call->count, (size_t)bytes, PREDEFINED_NO_TYPE);
  message_describe(m, call, STOWAGE_UNPACK);
  m->given.memory = m->buffer.user;
  m->given.count = call->count;
  m->given.type = call->type;
  m->state = (unsigned char *)((uintptr_t)call->user + (uintptr_t)first);
  m->route = &route_offered;
  return 1;
}
