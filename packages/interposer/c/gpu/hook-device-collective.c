/* Collectives: each side that lies on a device is packed before the call, or unpacked behind it; the staging memory is the call's. */
#include <mpi.h>

#include "neighbours.h"
#include "pieces.h"
#include "topology.h"
#include "hook.h"
#include "predefined.h"

static int broadcasts(__typeof__(MPI_Bcast) *next, struct device_buffer *b, int root, MPI_Comm communicator) {
  const size_t bytes = b->bytes;
  int rank = 0, is_inter = 0;
  NEXT(PMPI_Comm_rank)(communicator, &rank);
  NEXT(PMPI_Comm_test_inter)(communicator, &is_inter);
  const int sends = is_inter ? root == MPI_ROOT : root == rank;
  int class = device_stage(b), status = MPI_SUCCESS;
  if (class == MPI_SUCCESS && sends) class = device_pack(&b, 1);
  if (class == MPI_SUCCESS) status = BEHIND(next(b->packed, (int)b->count, b->facts.packed, root, communicator));
  if (class == MPI_SUCCESS && status == MPI_SUCCESS && !sends) class = device_unpack(&b, &bytes, 1);
  device_release(b);
  return class == MPI_SUCCESS ? status : device_raise(communicator, class);
}

#define BROADCASTS(name)                                                                                   \
  PASSES(name, device_may_be(),                                                                            \
         (void *user, int count, MPI_Datatype type, int root, MPI_Comm communicator),                      \
         (user, count, type, root, communicator)) {                                                        \
    struct device_buffer b;                                                                                \
    if (device_maybe() && is_outermost() && root != MPI_PROC_NULL && device_takes(user, count, type, &b))  \
      return broadcasts(NEXT(name), &b, root, communicator);                                               \
    return NEXT(name)(user, count, type, root, communicator);                                              \
  }

BROADCASTS(MPI_Bcast)
BROADCASTS(PMPI_Bcast)

/* --- Exchanges of pieces --- */

/* Both sides of one call, as the program gave them and as the MPI gets them. */
struct exchange {
  struct piece_list in, out;
  struct device_pieces from, to;
  int has_from, has_to, is_in_place;
};

static int takes(struct exchange *e) {
  e->is_in_place = e->out.user == MPI_IN_PLACE;
  e->has_from = !e->is_in_place && pieces_take(&e->out, &e->from);
  e->has_to = pieces_take(&e->in, &e->to);
  return e->has_from || e->has_to;
}

/* Before the MPI's call. */
static int begin(struct exchange *e) {
  int class = MPI_SUCCESS;
  if (e->has_from) class = pieces_stage(&e->from);
  if (class == MPI_SUCCESS && e->has_from) class = pieces_pack(&e->from);
  if (class == MPI_SUCCESS && e->has_to) class = pieces_stage(&e->to);
  if (class == MPI_SUCCESS && e->has_to && e->is_in_place) class = pieces_pack(&e->to);
  return class;
}

/* Behind it, or instead of it. */
static int end(struct exchange *e, int class, int status, MPI_Comm communicator) {
  if (class == MPI_SUCCESS && status == MPI_SUCCESS && e->has_to) class = pieces_unpack(&e->to);
  if (e->has_from) pieces_release(&e->from);
  if (e->has_to) pieces_release(&e->to);
  return class == MPI_SUCCESS ? status : device_raise(communicator, class);
}

/* What the MPI gets for what the program gave. */
#define GIVEN(has, staged, own) (e->has ? (staged) : (own))
#define MEMORY(pieces, has, own) ((void *)(uintptr_t)GIVEN(has, (const void *)e->pieces.staging->memory, own))
static MPI_Datatype common_type(const struct device_pieces *p) {
  for (size_t i = 0; i < p->count; i++)
    if (p->each[i].bytes > 0) return p->each[i].facts.packed;
  return p->each[0].type;
}

static size_t size_of(MPI_Comm communicator) {
  int is_inter = 0, size = 0;
  NEXT(PMPI_Comm_test_inter)(communicator, &is_inter);
  if (is_inter) NEXT(PMPI_Comm_remote_size)(communicator, &size);
  else NEXT(PMPI_Comm_size)(communicator, &size);
  return size > 0 ? (size_t)size : 0;
}

/* A communicator that is none is the MPI's to refuse. */
static int is_known(MPI_Comm communicator) { return communicator != PREDEFINED_NULL; }

static int exchanges_v(__typeof__(MPI_Alltoallv) *next, struct exchange *e, MPI_Comm communicator) {
  int status = MPI_SUCCESS;
  const int class = begin(e);
  if (class == MPI_SUCCESS)
    status = BEHIND(next(MEMORY(from, has_from, e->out.user), e->out.counts, GIVEN(has_from, e->from.places, e->out.places),
                         e->has_from ? common_type(&e->from) : e->out.type, MEMORY(to, has_to, e->in.user), e->in.counts,
                         GIVEN(has_to, e->to.places, e->in.places), e->has_to ? common_type(&e->to) : e->in.type, communicator));
  return end(e, class, status, communicator);
}

#define EXCHANGES_V(name, is_neighbours)                                                                                          \
  HOOK(int, name)(const void *sent, const int sent_counts[], const int sent_places[], MPI_Datatype sent_type, void *received,   \
                    const int received_counts[], const int received_places[], MPI_Datatype received_type, MPI_Comm communicator) { \
    if (device_maybe() && is_outermost() && is_known(communicator)) {                                                             \
      size_t in, out;                                                                                                             \
      if (!is_neighbours) in = out = size_of(communicator);                                                                       \
      if (!is_neighbours || neighbours_of(communicator, &in, &out)) {                                                             \
        int status;                                                                                                               \
        const struct neighbour_elements from = {sent, 0, sent_counts, sent_places, sent_type};                                    \
        const struct neighbour_elements to = {received, 0, received_counts, received_places, received_type};                      \
        if (is_neighbours && neighbours_exchange_elements(&from, &to, communicator, &status)) return status;                      \
        struct exchange e = {.in = {.user = received, in, received_counts, received_places, NULL, received_type, NULL},           \
                             .out = {.user = sent, out, sent_counts, sent_places, NULL, sent_type, NULL}};                        \
        if (takes(&e)) return exchanges_v(NEXT(name), &e, communicator);                                                          \
      }                                                                                                                           \
    }                                                                                                                             \
    return NEXT(name)(sent, sent_counts, sent_places, sent_type, received, received_counts, received_places, received_type,       \
                      communicator);                                                                                              \
  }

EXCHANGES_V(MPI_Alltoallv, 0)
EXCHANGES_V(PMPI_Alltoallv, 0)
EXCHANGES_V(MPI_Neighbor_alltoallv, 1)
EXCHANGES_V(PMPI_Neighbor_alltoallv, 1)

static int exchanges_w(__typeof__(MPI_Alltoallw) *next, struct exchange *e, MPI_Comm communicator) {
  int status = MPI_SUCCESS;
  const int class = begin(e);
  if (class == MPI_SUCCESS)
    status = BEHIND(next(MEMORY(from, has_from, e->out.user), e->out.counts, GIVEN(has_from, e->from.places, e->out.places),
                         GIVEN(has_from, e->from.types, e->out.types), MEMORY(to, has_to, e->in.user), e->in.counts,
                         GIVEN(has_to, e->to.places, e->in.places), GIVEN(has_to, e->to.types, e->in.types), communicator));
  return end(e, class, status, communicator);
}

#define EXCHANGES_W(name)                                                                                                   \
  HOOK(int, name)(const void *sent, const int sent_counts[], const int sent_places[], const MPI_Datatype sent_types[],    \
                    void *received, const int received_counts[], const int received_places[],                               \
                    const MPI_Datatype received_types[], MPI_Comm communicator) {                                           \
    if (device_maybe() && is_outermost() && is_known(communicator)) {                                                       \
      const size_t size = size_of(communicator);                                                                            \
      struct exchange e = {.in = {.user = received, size, received_counts, received_places, .types = received_types},       \
                           .out = {.user = sent, size, sent_counts, sent_places, .types = sent_types}};                     \
      if (takes(&e)) return exchanges_w(NEXT(name), &e, communicator);                                                      \
    }                                                                                                                       \
    return NEXT(name)(sent, sent_counts, sent_places, sent_types, received, received_counts, received_places,               \
                      received_types, communicator);                                                                        \
  }

EXCHANGES_W(MPI_Alltoallw)
EXCHANGES_W(PMPI_Alltoallw)

static int exchanges_far(__typeof__(MPI_Neighbor_alltoallw) *next, struct exchange *e, MPI_Comm communicator) {
  int status = MPI_SUCCESS;
  const int class = begin(e);
  if (class == MPI_SUCCESS)
    status =
        BEHIND(next(MEMORY(from, has_from, e->out.user), e->out.counts, GIVEN(has_from, e->from.addresses, e->out.addresses),
                    GIVEN(has_from, e->from.types, e->out.types), MEMORY(to, has_to, e->in.user), e->in.counts,
                    GIVEN(has_to, e->to.addresses, e->in.addresses), GIVEN(has_to, e->to.types, e->in.types), communicator));
  return end(e, class, status, communicator);
}

#define EXCHANGES_FAR(name)                                                                                                   \
  HOOK(int, name)(const void *sent, const int sent_counts[], const MPI_Aint sent_places[], const MPI_Datatype sent_types[], \
                    void *received, const int received_counts[], const MPI_Aint received_places[],                            \
                    const MPI_Datatype received_types[], MPI_Comm communicator) {                                             \
    size_t in, out;                                                                                                           \
    if (device_maybe() && is_outermost() && is_known(communicator) && neighbours_of(communicator, &in, &out)) {               \
      int status;                                                                                                             \
      const struct neighbour_pieces from = {sent, sent_counts, sent_places, sent_types};                                      \
      const struct neighbour_pieces to = {received, received_counts, received_places, received_types};                        \
      if (neighbours_exchange(NEXT(name), &from, &to, communicator, &status)) return status;                                  \
      struct exchange e = {.in = {.user = received, in, received_counts, NULL, received_places, .types = received_types},     \
                           .out = {.user = sent, out, sent_counts, NULL, sent_places, .types = sent_types}};                  \
      if (takes(&e)) return exchanges_far(NEXT(name), &e, communicator);                                                      \
    }                                                                                                                         \
    return NEXT(name)(sent, sent_counts, sent_places, sent_types, received, received_counts, received_places,                 \
                      received_types, communicator);                                                                          \
  }

EXCHANGES_FAR(MPI_Neighbor_alltoallw)
EXCHANGES_FAR(PMPI_Neighbor_alltoallw)

/* --- Exchanges of equal pieces, side by side: one buffer of as many elements --- */

struct equal {
  void *user;
  int count;
  MPI_Datatype type;
  size_t pieces;
  int is_device;
  struct device_buffer buffer;
};

static int is_device(struct equal *side) {
  return side->is_device = device_takes(side->user, (MPI_Count)side->count * (MPI_Count)side->pieces, side->type, &side->buffer);
}

static int stage(struct equal *side) {
  const int class = side->is_device ? device_stage(&side->buffer) : MPI_SUCCESS;
  if (!side->is_device || class != MPI_SUCCESS) return class;
  side->user = side->buffer.packed;
  side->type = side->buffer.facts.packed;
  return MPI_SUCCESS;
}

static int exchanges_equal(__typeof__(MPI_Alltoall) *next, struct equal *out, struct equal *in, MPI_Comm communicator) {
  struct device_buffer *from = &out->buffer, *to = &in->buffer;
  const size_t bytes = to->bytes;
  int class = stage(out), status = MPI_SUCCESS;
  if (class == MPI_SUCCESS && out->is_device) class = device_pack(&from, 1);
  if (class == MPI_SUCCESS) class = stage(in);
  if (class == MPI_SUCCESS && in->is_device && out->user == MPI_IN_PLACE) class = device_pack(&to, 1);
  if (class == MPI_SUCCESS) status = BEHIND(next(out->user, out->count, out->type, in->user, in->count, in->type, communicator));
  if (class == MPI_SUCCESS && status == MPI_SUCCESS && in->is_device) class = device_unpack(&to, &bytes, 1);
  if (out->is_device) device_release(from);
  if (in->is_device) device_release(to);
  return class == MPI_SUCCESS ? status : device_raise(communicator, class);
}

#define EXCHANGES_EQUAL(name, is_neighbours, gathers)                                                                          \
  HOOK(int, name)(const void *sent, int sent_count, MPI_Datatype sent_type, void *received, int received_count,              \
                    MPI_Datatype received_type, MPI_Comm communicator) {                                                       \
    if (device_maybe() && is_outermost() && is_known(communicator)) {                                                          \
      size_t in, out;                                                                                                          \
      if (!is_neighbours) in = out = size_of(communicator);                                                                    \
      if (!is_neighbours || neighbours_of(communicator, &in, &out)) {                                                          \
        int status;                                                                                                            \
        const struct neighbour_elements pieces_out = {sent, sent_count, NULL, NULL, sent_type};                                \
        const struct neighbour_elements pieces_in = {received, received_count, NULL, NULL, received_type};                     \
        if (is_neighbours && !gathers && neighbours_exchange_elements(&pieces_out, &pieces_in, communicator, &status))         \
          return status;                                                                                                       \
        struct equal from = {(void *)(uintptr_t)sent, sent_count, sent_type, gathers ? 1 : out, 0, {0}};                       \
        struct equal to = {received, received_count, received_type, in, 0, {0}};                                               \
        if ((sent != MPI_IN_PLACE && is_device(&from)) | is_device(&to))                                                       \
          return exchanges_equal(NEXT(name), &from, &to, communicator);                                                        \
      }                                                                                                                        \
    }                                                                                                                          \
    return NEXT(name)(sent, sent_count, sent_type, received, received_count, received_type, communicator);                     \
  }

EXCHANGES_EQUAL(MPI_Alltoall, 0, 0)
EXCHANGES_EQUAL(PMPI_Alltoall, 0, 0)
EXCHANGES_EQUAL(MPI_Neighbor_alltoall, 1, 0)
EXCHANGES_EQUAL(PMPI_Neighbor_alltoall, 1, 0)
EXCHANGES_EQUAL(MPI_Neighbor_allgather, 1, 1)
EXCHANGES_EQUAL(PMPI_Neighbor_allgather, 1, 1)

/* One buffer to all neighbours, pieces from each. */
static int gathers_v(__typeof__(MPI_Neighbor_allgatherv) *next, struct equal *out, struct exchange *e, MPI_Comm communicator) {
  struct device_buffer *from = &out->buffer;
  int class = stage(out), status = MPI_SUCCESS;
  if (class == MPI_SUCCESS && out->is_device) class = device_pack(&from, 1);
  if (class == MPI_SUCCESS) class = begin(e);
  if (class == MPI_SUCCESS)
    status = BEHIND(next(out->user, out->count, out->type, MEMORY(to, has_to, e->in.user), e->in.counts,
                         GIVEN(has_to, e->to.places, e->in.places), e->has_to ? common_type(&e->to) : e->in.type, communicator));
  if (out->is_device) device_release(from);
  return end(e, class, status, communicator);
}

#define GATHERS_V(name)                                                                                                       \
  HOOK(int, name)(const void *sent, int sent_count, MPI_Datatype sent_type, void *received, const int received_counts[],    \
                    const int received_places[], MPI_Datatype received_type, MPI_Comm communicator) {                         \
    size_t in, out;                                                                                                           \
    if (device_maybe() && is_outermost() && is_known(communicator) && neighbours_of(communicator, &in, &out)) {               \
      struct equal from = {(void *)(uintptr_t)sent, sent_count, sent_type, 1, 0, {0}};                                        \
      struct exchange e = {.in = {.user = received, in, received_counts, received_places, NULL, received_type, NULL}};        \
      const int takes_from = is_device(&from);                                                                                \
      e.has_to = pieces_take(&e.in, &e.to);                                                                                   \
      if (takes_from || e.has_to) return gathers_v(NEXT(name), &from, &e, communicator);                                      \
    }                                                                                                                         \
    return NEXT(name)(sent, sent_count, sent_type, received, received_counts, received_places, received_type, communicator);  \
  }

GATHERS_V(MPI_Neighbor_allgatherv)
GATHERS_V(PMPI_Neighbor_allgatherv)
