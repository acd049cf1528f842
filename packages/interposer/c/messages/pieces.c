#include "pieces.h"

#include "next.h"
#include "packed-type.h"
#include "packing-memory.h"
#include "staged-side.h"
#include "staged.h"

#include <stdlib.h>

/* Where piece i lies; `extent` is that of the common type. */
static const char *place_of(const struct piece_list *list, size_t i, MPI_Aint extent) {
  return (const char *)list->user + number_at(list->places, i) * (list->types != NULL ? 1 : extent);
}

static int allocate(struct pieces *p, size_t count, size_t width) {
  *p = (struct pieces){.count = count, .places = {calloc(count, width), width}};
  p->each = calloc(count, sizeof *p->each);
  p->begins = calloc(count, sizeof *p->begins);
  p->types = calloc(count, sizeof *p->types);
  return p->each != NULL && p->places.all != NULL && p->begins != NULL && p->types != NULL;
}

void pieces_release(struct pieces *p) {
  if (p->codes != NULL) packing_memory_give(&packing_of_messages, p->memory, p->bytes);
  else staging_give(p->staging);
  free(p->codes);
  free(p->each);
  free((void *)(uintptr_t)p->places.all);
  free(p->begins);
  free(p->types);
  *p = (struct pieces){0};
}

/* A piece of its own facts, wherever it lies: empty ones too, whose type the MPI still sees. */
static int add(struct pieces *p, const struct piece_list *list, size_t i, const struct gpu_type *common) {
  struct gpu_buffer *b = &p->each[i];
  const int64_t count = number_at(list->counts, i);
  if (list->types == NULL) b->facts = *common;
  else if (count > 0 && !gpu_type_of(list->types[i], &b->facts)) return 0;
  b->user = (unsigned char *)(uintptr_t)place_of(list, i, common->extent);
  b->count = count > 0 ? (size_t)count : 0;
  b->bytes = b->count * b->facts.size;
  b->type = piece_type(list, i);
  p->types[i] = b->bytes > 0 ? b->facts.packed : b->type;
  return b->bytes == 0 || driver_holds(b->user + b->facts.true_lower, &b->place) || driver_holds(b->user, &b->place);
}

int pieces_take(const struct piece_list *list, struct pieces *p) {
  struct gpu_buffer first = {0};
  struct gpu_type common = {0};
  size_t some = 0;
  if (list->counts.all == NULL || list->places.all == NULL) return 0;
  while (some < list->count && number_at(list->counts, some) <= 0) some++;
  if (some == list->count) return 0;
  const int is_device = driver_holds(list->user, &first.place);
  if (list->types == NULL && !(is_device ? gpu_type_of : gpu_type_known)(list->type, &common)) return 0;
  if (!buffer_takes(place_of(list, some, common.extent), number_at(list->counts, some), piece_type(list, some), &first))
    return 0;
  int held = allocate(p, list->count, list->places.width);
  p->has_types = list->types != NULL;
  for (size_t i = 0; i < list->count && held; i++) held = add(p, list, i, &common);
  if (!held) pieces_release(p);
  return held;
}

int pieces_take_one(const void *user, MPI_Count count, MPI_Datatype type, struct pieces *p) {
  struct gpu_buffer one;
  if (!buffer_takes(user, count, type, &one)) return 0;
  if (!allocate(p, 1, sizeof(int))) return pieces_release(p), 0;
  p->each[0] = one;
  p->types[0] = one.facts.packed;
  return 1;
}

static int add_on_host(struct pieces *p, const struct piece_list *list, size_t i, MPI_Aint extent) {
  const int64_t count = number_at(list->counts, i);
  const MPI_Datatype type = p->types[i] = piece_type(list, i);
  struct type_code *code = &p->codes[i];
  if (count <= 0) return 1;
  if (!types_are_movable(type, code)) return 0;
  const size_t bytes = (size_t)count * code->size_bytes;
  p->each[i] = buffer_on_host(place_of(list, i, extent), (MPI_Count)count, bytes, type);
  return bytes == 0 || packed_type(code->size_bytes, &p->types[i]);
}

/* All in one memory, whose length is set. Places count elements where the type is common: then a piece begins behind as
 * many as came before. 0: places do not fit. */
static int put_places(struct pieces *p) {
  size_t elements = 0;
  for (size_t i = 0; i < p->count; i++) {
    p->begins[i] = p->bytes;
    if (!number_put(p->places, i, (int64_t)(p->has_types ? p->bytes : elements))) return 0;
    p->bytes += p->each[i].bytes;
    elements += p->each[i].count;
  }
  return 1;
}

int pieces_take_on_host(const struct piece_list *list, struct pieces *p) {
  MPI_Aint lower, extent = 0;
  if (list->types == NULL && NEXT(PMPI_Type_get_extent)(list->type, &lower, &extent) != MPI_SUCCESS) return 0;
  int held = allocate(p, list->count, list->places.width);
  p->codes = calloc(list->count, sizeof *p->codes);
  held = held && p->codes != NULL;
  p->has_types = list->types != NULL;
  for (size_t i = 0; i < list->count && held; i++) held = add_on_host(p, list, i, extent);
  held = held && put_places(p) && (p->memory = packing_memory_take(&packing_of_messages, p->bytes)) != NULL;
  if (!held) pieces_release(p);
  return held;
}

int pieces_stage(struct pieces *p) {
  if (p->codes != NULL) return MPI_SUCCESS;
  const struct gpu_place *place = &p->each[0].place;
  for (size_t i = 0; i < p->count; i++)
    if (p->each[i].bytes > 0) place = &p->each[i].place;
  if (!put_places(p)) return MPI_ERR_COUNT;
  const int class = staging_take_at(place, p->bytes, &p->staging);
  if (class == MPI_SUCCESS) p->memory = p->staging->memory;
  return class;
}

static int move_on_host(const struct pieces *p, enum stowage_direction direction) {
  for (size_t i = 0; i < p->count; i++) {
    if (p->each[i].bytes == 0) continue;
    const struct elements elements = staged_elements_of(&p->each[i], &p->codes[i]);
    if (direction == STOWAGE_PACK) elements_pack(&elements, p->memory + p->begins[i]);
    else elements_unpack(&elements, p->memory + p->begins[i], elements.bytes);
  }
  return MPI_SUCCESS;
}

static int move(const struct pieces *p, enum stowage_direction direction) {
  if (p->codes != NULL) return move_on_host(p, direction);
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

int pieces_pack(struct pieces *p) { return move(p, STOWAGE_PACK); }
int pieces_unpack(struct pieces *p) { return move(p, STOWAGE_UNPACK); }
