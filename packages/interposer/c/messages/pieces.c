#include "pieces.h"

#include "staged.h"

#include <stdlib.h>

static MPI_Datatype type_of(const struct piece_list *list, size_t i) {
  return list->types != NULL ? list->types[i] : list->type;
}

/* Where piece i lies; `extent` is that of the common type. */
static const char *place_of(const struct piece_list *list, size_t i, MPI_Aint extent) {
  return (const char *)list->user + number_at(list->places, i) * (list->types != NULL ? 1 : extent);
}

static int allocate(struct gpu_pieces *p, size_t count, size_t width) {
  *p = (struct gpu_pieces){.count = count, .places = {calloc(count, width), width}};
  p->each = calloc(count, sizeof *p->each);
  p->begins = calloc(count, sizeof *p->begins);
  p->types = calloc(count, sizeof *p->types);
  return p->each != NULL && p->places.all != NULL && p->begins != NULL && p->types != NULL;
}

void pieces_release(struct gpu_pieces *p) {
  staging_give(p->staging);
  free(p->each);
  free((void *)(uintptr_t)p->places.all);
  free(p->begins);
  free(p->types);
  *p = (struct gpu_pieces){0};
}

/* A piece of its own facts, wherever it lies: empty ones too, whose type the MPI still sees. */
static int add(struct gpu_pieces *p, const struct piece_list *list, size_t i, const struct gpu_type *common) {
  struct gpu_buffer *b = &p->each[i];
  const int64_t count = number_at(list->counts, i);
  if (list->types == NULL) b->facts = *common;
  else if (count > 0 && !gpu_type_of(list->types[i], &b->facts)) return 0;
  b->user = (unsigned char *)(uintptr_t)place_of(list, i, common->extent);
  b->count = count > 0 ? (size_t)count : 0;
  b->bytes = b->count * b->facts.size;
  b->type = type_of(list, i);
  p->types[i] = b->bytes > 0 ? b->facts.packed : b->type;
  return b->bytes == 0 || driver_holds(b->user + b->facts.true_lower, &b->place) || driver_holds(b->user, &b->place);
}

int pieces_take(const struct piece_list *list, struct gpu_pieces *p) {
  struct gpu_buffer first = {0};
  struct gpu_type common = {0};
  size_t some = 0;
  if (list->counts.all == NULL || list->places.all == NULL) return 0;
  while (some < list->count && number_at(list->counts, some) <= 0) some++;
  if (some == list->count) return 0;
  const int is_device = driver_holds(list->user, &first.place);
  if (list->types == NULL && !(is_device ? gpu_type_of : gpu_type_known)(list->type, &common)) return 0;
  if (!buffer_takes(place_of(list, some, common.extent), number_at(list->counts, some), type_of(list, some), &first))
    return 0;
  int held = allocate(p, list->count, list->places.width);
  p->has_types = list->types != NULL;
  for (size_t i = 0; i < list->count && held; i++) held = add(p, list, i, &common);
  if (!held) pieces_release(p);
  return held;
}

int pieces_take_one(const void *user, MPI_Count count, MPI_Datatype type, struct gpu_pieces *p) {
  struct gpu_buffer one;
  if (!buffer_takes(user, count, type, &one)) return 0;
  if (!allocate(p, 1, sizeof(int))) return pieces_release(p), 0;
  p->each[0] = one;
  p->types[0] = one.facts.packed;
  return 1;
}

/* All in one memory. Places count elements where the type is common: then a piece begins behind as many as came before.
 */
int pieces_stage(struct gpu_pieces *p) {
  const struct gpu_place *place = &p->each[0].place;
  size_t bytes = 0, elements = 0;
  for (size_t i = 0; i < p->count; i++) {
    if (p->each[i].bytes > 0) place = &p->each[i].place;
    p->begins[i] = bytes;
    if (!number_put(p->places, i, (int64_t)(p->has_types ? bytes : elements))) return MPI_ERR_COUNT;
    bytes += p->each[i].bytes;
    elements += p->each[i].count;
  }
  return staging_take_at(place, bytes, &p->staging);
}

static int move(const struct gpu_pieces *p, enum stowage_direction direction) {
  struct gpu_move moves[MOST_MOVES];
  int class = MPI_SUCCESS;
  size_t some = 0;
  for (size_t i = 0; i < p->count && class == MPI_SUCCESS; i++) {
    moves[some++] = staged_move_by_table(&p->each[i], p->staging, p->begins[i]);
    if (some < MOST_MOVES) continue;
    class = moves_run(direction, moves, some);
    some = 0;
  }
  return class == MPI_SUCCESS ? moves_run(direction, moves, some) : class;
}

int pieces_pack(struct gpu_pieces *p) { return move(p, STOWAGE_PACK); }
int pieces_unpack(struct gpu_pieces *p) { return move(p, STOWAGE_UNPACK); }
