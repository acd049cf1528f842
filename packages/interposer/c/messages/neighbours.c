#include "neighbours.h"

#include "raise.h"
#include "hook.h"
#include "message.h"
#include "peers.h"
#include "pending.h"
#include "topology.h"

#include <stdlib.h>

/* What the MPI gets, piece by piece, at addresses: those of the program, or of memory of ours in their stead. */
struct side {
  size_t count, ours;
  struct message *each;
  int *is_ours, *counts;
  MPI_Aint *addresses;
  MPI_Datatype *types;
};

static int allocate(struct side *s, size_t count, const struct neighbour_pieces *given) {
  const size_t room = count + 1;
  *s = (struct side){.count = count};
  s->each = calloc(room, sizeof *s->each);
  s->is_ours = calloc(room, sizeof *s->is_ours);
  s->counts = calloc(room, sizeof *s->counts);
  s->addresses = calloc(room, sizeof *s->addresses);
  s->types = calloc(room, sizeof *s->types);
  if (s->each == NULL || s->is_ours == NULL || s->counts == NULL || s->addresses == NULL || s->types == NULL) return 0;
  for (size_t i = 0; i < count; i++) {
    s->counts[i] = given->counts[i];
    s->addresses[i] = (MPI_Aint)given->user + given->places[i];
    s->types[i] = given->types[i];
  }
  return 1;
}

static void release(struct side *s) {
  for (size_t i = 0; i < s->count && s->each != NULL; i++)
    if (s->is_ours[i] && s->each[i].state != NULL) message_release(&s->each[i]);
  free(s->each);
  free(s->is_ours);
  free(s->counts);
  free(s->addresses);
  free(s->types);
}

static void *user_of(const struct side *s, size_t i) { return (void *)s->addresses[i]; }

static void give(struct side *s, size_t i) {
  s->counts[i] = (int)s->each[i].given.count;
  s->addresses[i] = (MPI_Aint)s->each[i].given.memory;
  s->types[i] = s->each[i].given.type;
}

static void look(struct side *s, const int peers[], enum stowage_direction direction, MPI_Comm communicator) {
  for (size_t i = 0; i < s->count; i++) {
    const struct call call = {user_of(s, i), s->counts[i], s->types[i], peers[i], communicator, 0, 0, 0};
    s->is_ours[i] = (direction == STOWAGE_PACK ? message_is_sent : message_is_received)(&call, &s->each[i]);
    s->ours += (size_t)s->is_ours[i];
  }
}

/* Pieces of one side begin together. */
static int begin(struct side *s) {
  struct message **all = calloc(s->count + 1, sizeof *all);
  size_t count = 0;
  int class = all == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  for (size_t i = 0; i < s->count && class == MPI_SUCCESS; i++) {
    if (!s->is_ours[i]) continue;
    class = message_give(&s->each[i]);
    all[count++] = &s->each[i];
  }
  if (class == MPI_SUCCESS) class = messages_begin(all, count);
  for (size_t i = 0; i < s->count && class == MPI_SUCCESS; i++)
    if (s->is_ours[i]) give(s, i);
  pending_flush();
  free(all);
  return class;
}

/* The MPI has sent them, or never will. */
static int end_out(struct side *s, int is_well) {
  int class = MPI_SUCCESS;
  for (size_t i = 0; i < s->count; i++) {
    const int sent = s->is_ours[i] && s->each[i].state != NULL ? message_sent(&s->each[i], is_well) : MPI_SUCCESS;
    if (class == MPI_SUCCESS) class = sent;
  }
  return class;
}

static int end_in(struct side *s, int is_well) {
  struct message **came = calloc(s->count + 1, sizeof *came);
  size_t *bytes = calloc(s->count + 1, sizeof *bytes), count = 0;
  int class = came == NULL || bytes == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  for (size_t i = 0; i < s->count && class == MPI_SUCCESS; i++) {
    if (!s->is_ours[i] || s->each[i].state == NULL) continue;
    bytes[count] = is_well ? s->each[i].buffer.bytes : 0;
    came[count++] = &s->each[i];
  }
  if (class == MPI_SUCCESS) class = messages_arrived(came, bytes, count);
  free(came);
  free(bytes);
  return class;
}

static int exchange(__typeof__(MPI_Neighbor_alltoallw) *next, struct side *out, struct side *in,
                    MPI_Comm communicator) {
  int status = MPI_SUCCESS, class = begin(in);
  if (class == MPI_SUCCESS) class = begin(out);
  if (class == MPI_SUCCESS)
    status = BEHIND(next(MPI_BOTTOM, out->counts, out->addresses, out->types, MPI_BOTTOM, in->counts, in->addresses,
                         in->types, communicator));
  const int is_well = class == MPI_SUCCESS && status == MPI_SUCCESS;
  const int sent = end_out(out, is_well), received = end_in(in, is_well);
  if (class == MPI_SUCCESS) class = sent != MPI_SUCCESS ? sent : received;
  return class == MPI_SUCCESS ? status : mpi_raise(communicator, class);
}

static void release_pieces(struct neighbour_pieces *p) {
  free((void *)(uintptr_t)p->counts);
  free((void *)(uintptr_t)p->places);
  free((void *)(uintptr_t)p->types);
}

static int spread(struct neighbour_pieces *p, const struct neighbour_elements *e, size_t count) {
  int *counts = calloc(count + 1, sizeof *counts);
  MPI_Aint *places = calloc(count + 1, sizeof *places), lower, extent;
  MPI_Datatype *types = calloc(count + 1, sizeof *types);
  *p = (struct neighbour_pieces){e->user, counts, places, types};
  if (counts == NULL || places == NULL || types == NULL ||
      NEXT(PMPI_Type_get_extent)(e->type, &lower, &extent) != MPI_SUCCESS)
    return 0;
  for (size_t i = 0; i < count; i++) {
    counts[i] = e->counts == NULL ? e->count : e->counts[i];
    places[i] = extent * (e->places == NULL ? (MPI_Aint)i * e->count : (MPI_Aint)e->places[i]);
    types[i] = e->type;
  }
  return 1;
}

int neighbours_exchange_elements(const struct neighbour_elements *sent, const struct neighbour_elements *received,
                                 MPI_Comm communicator, int *status) {
  struct neighbour_pieces out = {0}, in = {0};
  size_t sources, targets;
  if (!peers_are_there() || !neighbours_of(communicator, &sources, &targets)) return 0;
  const int is_spread = spread(&out, sent, targets) && spread(&in, received, sources);
  const int is_done = is_spread && neighbours_exchange(NEXT(MPI_Neighbor_alltoallw), &out, &in, communicator, status);
  release_pieces(&out);
  release_pieces(&in);
  return is_done;
}

int neighbours_exchange(__typeof__(MPI_Neighbor_alltoallw) *next, const struct neighbour_pieces *sent,
                        const struct neighbour_pieces *received, MPI_Comm communicator, int *status) {
  struct topology around;
  struct side out = {0}, in = {0};
  if (!peers_are_there() || !topology_of(communicator, &around)) return 0;
  if (allocate(&out, around.out, sent) && allocate(&in, around.in, received)) {
    look(&out, around.targets, STOWAGE_PACK, communicator);
    look(&in, around.sources, STOWAGE_UNPACK, communicator);
  }
  const int is_ours = out.ours + in.ours > 0;
  if (is_ours) *status = exchange(next, &out, &in, communicator);
  release(&out);
  release(&in);
  topology_free(&around);
  return is_ours;
}
