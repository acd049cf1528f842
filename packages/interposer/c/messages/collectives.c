/* Collectives: each side that lies on a device, or that is staged, is packed before the call, or unpacked behind it;
 * the memory between is the call's. */
#include <mpi.h>

#include "clock.h"
#include "raise.h"
#include "hook.h"
#include "neighbours.h"
#include "pieces.h"
#include "predefined.h"
#include "staged-message.h"
#include "staged-side.h"
#include "topology.h"
#include "watch.h"

/* One side of a call: pieces of their own sizes and places, or as many equal ones, which are one piece. */
struct side {
  struct piece_list list;
  struct pieces pieces;
  int is_ours;
  /* Where its call is tried, one way or the other (way-choice.h); NULL: it is not. */
  struct way_choice *tried;
};

struct exchange {
  struct side out, in;
  MPI_Comm communicator;
  int64_t start_ns;
};

static int maybe(void) { return gpu_maybe() || staged_maybe(); }

static int is_in_place(const struct exchange *e) { return e->out.list.user == MPI_IN_PLACE; }

/* Of the host: whether the call is to be ours, though it may go natively to be tried. */
static int is_staged(const struct exchange *e, struct side *s, const struct piece_list *list) {
  const enum stowage_direction direction = s == &e->out ? STOWAGE_PACK : STOWAGE_UNPACK;
  const int is_sent = direction == STOWAGE_PACK || is_in_place(e);
  s->is_ours = staged_side_is_chosen(list, direction, is_sent, &s->tried) && pieces_take_on_host(list, &s->pieces);
  return s->is_ours || s->tried != NULL;
}

static int takes(const struct exchange *e, struct side *s) {
  if (s->list.user == MPI_IN_PLACE) return 0;
  s->is_ours = gpu_maybe() && pieces_take(&s->list, &s->pieces);
  return s->is_ours || (staged_maybe() && is_staged(e, s, &s->list));
}

static int takes_equal(const struct exchange *e, struct side *s, MPI_Count count, size_t pieces) {
  if (s->list.user == MPI_IN_PLACE) return 0;
  const MPI_Count all = count * (MPI_Count)pieces, at = 0;
  const struct piece_list one = {s->list.user, 1, NUMBERS(&all), NUMBERS(&at), .type = s->list.type};
  s->is_ours = gpu_maybe() && pieces_take_one(s->list.user, all, s->list.type, &s->pieces);
  return s->is_ours || (staged_maybe() && is_staged(e, s, &one));
}

/* Before the MPI's call; what is sent in place is packed, too. */
static int begin(struct exchange *e) {
  struct side *out = &e->out, *in = &e->in;
  way_trial_begins(out->tried);
  way_trial_begins(in->tried);
  if (out->tried != NULL || in->tried != NULL) e->start_ns = now_ns();
  int class = out->is_ours ? pieces_stage(&out->pieces) : MPI_SUCCESS;
  if (class == MPI_SUCCESS && out->is_ours) class = pieces_pack(&out->pieces);
  if (class == MPI_SUCCESS && in->is_ours) class = pieces_stage(&in->pieces);
  if (class == MPI_SUCCESS && in->is_ours && is_in_place(e)) class = pieces_pack(&in->pieces);
  return class;
}

/* Behind it, or instead of it. */
static int end(struct exchange *e, int class, int status) {
  const int is_well = class == MPI_SUCCESS && status == MPI_SUCCESS;
  if (is_well && e->in.is_ours) class = pieces_unpack(&e->in.pieces);
  if (e->out.is_ours) pieces_release(&e->out.pieces);
  if (e->in.is_ours) pieces_release(&e->in.pieces);
  const int64_t spent_ns = is_well && e->start_ns != 0 ? now_ns() - e->start_ns : 0;
  way_trial_ends(e->out.tried, spent_ns);
  way_trial_ends(e->in.tried, spent_ns);
  return class == MPI_SUCCESS ? status : mpi_raise(e->communicator, class);
}

/* A call of the MPI's between both. */
#define EXCHANGED(e, call)                                    \
  __extension__({                                             \
    const int class_ = begin(e);                              \
    end(e, class_, class_ == MPI_SUCCESS ? BEHIND(call) : 0); \
  })

/* What the MPI gets for what the program gave. */
static void *memory_of(const struct side *s) { return s->is_ours ? s->pieces.memory : (void *)(uintptr_t)s->list.user; }
static const void *places_of(const struct side *s) { return s->is_ours ? s->pieces.places.all : s->list.places.all; }
static const MPI_Datatype *types_of(const struct side *s) { return s->is_ours ? s->pieces.types : s->list.types; }
static MPI_Datatype type_of(const struct side *s) {
  for (size_t i = 0; s->is_ours && i < s->pieces.count; i++)
    if (s->pieces.each[i].bytes > 0) return s->pieces.types[i];
  return s->list.type;
}

/* How many a process sends to and receives from. A communicator that is none is the MPI's to refuse. */
static int sizes_of(MPI_Comm communicator, int is_neighbours, size_t *in, size_t *out) {
  int is_inter = 0, size = 0;
  if (!maybe() || communicator == PREDEFINED_NULL) return 0;
  if (is_neighbours) return neighbours_of(communicator, in, out);
  NEXT(PMPI_Comm_test_inter)(communicator, &is_inter);
  (is_inter ? NEXT(PMPI_Comm_remote_size) : NEXT(PMPI_Comm_size))(communicator, &size);
  *in = *out = size > 0 ? (size_t)size : 0;
  return 1;
}

static int is_root(int root, MPI_Comm communicator) {
  int rank = 0, is_inter = 0;
  NEXT(PMPI_Comm_rank)(communicator, &rank);
  NEXT(PMPI_Comm_test_inter)(communicator, &is_inter);
  return is_inter ? root == MPI_ROOT : root == rank;
}

#define BROADCASTS(suffix, counts, places, name)                                                       \
  HOOKED(name##suffix, (void *user, counts count, MPI_Datatype type, int root, MPI_Comm communicator), \
         (user, count, type, root, communicator)) {                                                    \
    struct exchange e = {.communicator = communicator};                                                \
    if (!maybe() || communicator == PREDEFINED_NULL || root == MPI_PROC_NULL)                          \
      return next(user, count, type, root, communicator);                                              \
    struct side *s = is_root(root, communicator) ? &e.out : &e.in;                                     \
    s->list = (struct piece_list){.user = user, .type = type};                                         \
    if (!takes_equal(&e, s, count, 1)) return next(user, count, type, root, communicator);             \
    return EXCHANGED(&e, next(memory_of(s), count, type_of(s), root, communicator));                   \
  }

EACH_COUNT(BROADCASTS, Bcast)

/* From GPU memory to GPU memory go no messages of MPIs that have forms with large counts (peers.c). */
#define BETWEEN_DEVICES(call) (call)
#define BETWEEN_DEVICES_c(call) 0

#define EXCHANGES_EQUAL(suffix, counts, places, name, is_neighbours, gathers)                                   \
  HOOKED(name##suffix,                                                                                          \
         (const void *sent, counts sent_count, MPI_Datatype sent_type, void *received, counts received_count,   \
          MPI_Datatype received_type, MPI_Comm communicator),                                                   \
         (sent, sent_count, sent_type, received, received_count, received_type, communicator)) {                \
    struct exchange e = {.out.list = {.user = sent, .type = sent_type},                                         \
                         .in.list = {.user = received, .type = received_type},                                  \
                         .communicator = communicator};                                                         \
    size_t in, out;                                                                                             \
    int status;                                                                                                 \
    if (!sizes_of(communicator, is_neighbours, &in, &out))                                                      \
      return next(sent, sent_count, sent_type, received, received_count, received_type, communicator);          \
    if (is_neighbours && !gathers &&                                                                            \
        BETWEEN_DEVICES##suffix(neighbours_exchange_elements(                                                   \
            &(struct neighbour_elements){sent, sent_count, NULL, NULL, sent_type},                              \
            &(struct neighbour_elements){received, received_count, NULL, NULL, received_type}, communicator,    \
            &status)))                                                                                          \
      return status;                                                                                            \
    if (!(takes_equal(&e, &e.out, sent_count, gathers ? 1 : out) | takes_equal(&e, &e.in, received_count, in))) \
      return next(sent, sent_count, sent_type, received, received_count, received_type, communicator);          \
    return EXCHANGED(&e, next(memory_of(&e.out), sent_count, type_of(&e.out), memory_of(&e.in), received_count, \
                              type_of(&e.in), communicator));                                                   \
  }

EACH_COUNT(EXCHANGES_EQUAL, Alltoall, 0, 0)
EACH_COUNT(EXCHANGES_EQUAL, Neighbor_alltoall, 1, 0)
EACH_COUNT(EXCHANGES_EQUAL, Neighbor_allgather, 1, 1)

#define EXCHANGES_V(suffix, counts, places, name, is_neighbours)                                                      \
  HOOKED(name##suffix,                                                                                                \
         (const void *sent, const counts sent_counts[], const places sent_places[], MPI_Datatype sent_type,           \
          void *received, const counts received_counts[], const places received_places[], MPI_Datatype received_type, \
          MPI_Comm communicator),                                                                                     \
         (sent, sent_counts, sent_places, sent_type, received, received_counts, received_places, received_type,       \
          communicator)) {                                                                                            \
    size_t in = 0, out = 0;                                                                                           \
    int status;                                                                                                       \
    const int is_known = sizes_of(communicator, is_neighbours, &in, &out);                                            \
    if (is_known && is_neighbours &&                                                                                  \
        BETWEEN_DEVICES##suffix(neighbours_exchange_elements(                                                         \
            &(struct neighbour_elements){sent, 0, sent_counts, sent_places, sent_type},                               \
            &(struct neighbour_elements){received, 0, received_counts, received_places, received_type}, communicator, \
            &status)))                                                                                                \
      return status;                                                                                                  \
    struct exchange e = {                                                                                             \
        .out.list = {sent, out, NUMBERS(sent_counts), NUMBERS(sent_places), .type = sent_type},                       \
        .in.list = {received, in, NUMBERS(received_counts), NUMBERS(received_places), .type = received_type},         \
        .communicator = communicator};                                                                                \
    if (!is_known || !(takes(&e, &e.out) | takes(&e, &e.in)))                                                         \
      return next(sent, sent_counts, sent_places, sent_type, received, received_counts, received_places,              \
                  received_type, communicator);                                                                       \
    return EXCHANGED(&e, next(memory_of(&e.out), sent_counts, places_of(&e.out), type_of(&e.out), memory_of(&e.in),   \
                              received_counts, places_of(&e.in), type_of(&e.in), communicator));                      \
  }

EACH_COUNT(EXCHANGES_V, Alltoallv, 0)
EACH_COUNT(EXCHANGES_V, Neighbor_alltoallv, 1)

#define EXCHANGES_W(suffix, counts, places, name, is_neighbours, exchanges)                                          \
  HOOKED(name##suffix,                                                                                               \
         (const void *sent, const counts sent_counts[], const places sent_places[], const MPI_Datatype sent_types[], \
          void *received, const counts received_counts[], const places received_places[],                            \
          const MPI_Datatype received_types[], MPI_Comm communicator),                                               \
         (sent, sent_counts, sent_places, sent_types, received, received_counts, received_places, received_types,    \
          communicator)) {                                                                                           \
    size_t in = 0, out = 0;                                                                                          \
    int status;                                                                                                      \
    const int is_known = sizes_of(communicator, is_neighbours, &in, &out);                                           \
    if (is_known && exchanges(neighbours_exchange(                                                                   \
                        next, &(struct neighbour_pieces){sent, sent_counts, sent_places, sent_types},                \
                        &(struct neighbour_pieces){received, received_counts, received_places, received_types},      \
                        communicator, &status)))                                                                     \
      return status;                                                                                                 \
    struct exchange e = {                                                                                            \
        .out.list = {sent, out, NUMBERS(sent_counts), NUMBERS(sent_places), .types = sent_types},                    \
        .in.list = {received, in, NUMBERS(received_counts), NUMBERS(received_places), .types = received_types},      \
        .communicator = communicator};                                                                               \
    if (!is_known || !(takes(&e, &e.out) | takes(&e, &e.in)))                                                        \
      return next(sent, sent_counts, sent_places, sent_types, received, received_counts, received_places,            \
                  received_types, communicator);                                                                     \
    return EXCHANGED(&e, next(memory_of(&e.out), sent_counts, places_of(&e.out), types_of(&e.out), memory_of(&e.in), \
                              received_counts, places_of(&e.in), types_of(&e.in), communicator));                    \
  }

/* Neighbours' displacements are addresses, however counts are counted. */
#define EXCHANGES_AT_ADDRESSES(suffix, counts, places, name) \
  EXCHANGES_W(suffix, counts, MPI_Aint, name, 1, BETWEEN_DEVICES##suffix)

EACH_COUNT(EXCHANGES_W, Alltoallw, 0, BETWEEN_DEVICES_c)
EACH_COUNT(EXCHANGES_AT_ADDRESSES, Neighbor_alltoallw)

/* One buffer to all neighbours, pieces from each. */
#define GATHERS_V(suffix, counts, places, name)                                                                        \
  HOOKED(name##suffix,                                                                                                 \
         (const void *sent, counts sent_count, MPI_Datatype sent_type, void *received, const counts received_counts[], \
          const places received_places[], MPI_Datatype received_type, MPI_Comm communicator),                          \
         (sent, sent_count, sent_type, received, received_counts, received_places, received_type, communicator)) {     \
    size_t in = 0, out = 0;                                                                                            \
    const int is_known = sizes_of(communicator, 1, &in, &out);                                                         \
    struct exchange e = {                                                                                              \
        .out.list = {.user = sent, .type = sent_type},                                                                 \
        .in.list = {received, in, NUMBERS(received_counts), NUMBERS(received_places), .type = received_type},          \
        .communicator = communicator};                                                                                 \
    if (!is_known || !(takes_equal(&e, &e.out, sent_count, 1) | takes(&e, &e.in)))                                     \
      return next(sent, sent_count, sent_type, received, received_counts, received_places, received_type,              \
                  communicator);                                                                                       \
    return EXCHANGED(&e, next(memory_of(&e.out), sent_count, type_of(&e.out), memory_of(&e.in), received_counts,       \
                              places_of(&e.in), type_of(&e.in), communicator));                                        \
  }

EACH_COUNT(GATHERS_V, Neighbor_allgatherv)
