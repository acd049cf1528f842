#include "pieces.h"

#include <limits.h>
#include <stdlib.h>

static MPI_Datatype type_of(const struct piece_list *list, size_t i) { return list->types != NULL ? list->types[i] : list->type; }

/* Where piece i lies; `extent` is that of the common type. */
static const char *place_of(const struct piece_list *list, size_t i, MPI_Aint extent) {
  const char *user = list->user;
  if (list->addresses != NULL) return user + list->addresses[i];
  return user + (MPI_Aint)list->places[i] * (list->types != NULL ? 1 : extent);
}

static int allocate(struct device_pieces *p, size_t count) {
  *p = (struct device_pieces){.count = count};
  p->each = calloc(count, sizeof *p->each);
  p->all = calloc(count, sizeof *p->all);
  p->places = calloc(count, sizeof *p->places);
  p->addresses = calloc(count, sizeof *p->addresses);
  p->types = calloc(count, sizeof *p->types);
  return p->each != NULL && p->all != NULL && p->places != NULL && p->addresses != NULL && p->types != NULL;
}

void pieces_release(struct device_pieces *p) {
  staging_give(p->staging);
  free(p->each);
  free(p->all);
  free(p->places);
  free(p->addresses);
  free(p->types);
  *p = (struct device_pieces){0};
}

/* A piece of its own facts, wherever it lies: empty ones too, whose type the MPI still sees. */
static int add(struct device_pieces *p, const struct piece_list *list, size_t i, const struct device_type *common) {
  struct device_buffer *b = &p->each[i];
  if (list->types == NULL) b->facts = *common;
  else if (list->counts[i] > 0 && !device_type_of(list->types[i], &b->facts)) return 0;
  b->user = (unsigned char *)(uintptr_t)place_of(list, i, common->extent);
  b->count = list->counts[i] > 0 ? (size_t)list->counts[i] : 0;
  b->bytes = b->count * b->facts.size;
  b->type = type_of(list, i);
  p->types[i] = b->bytes > 0 ? b->facts.packed : b->type;
  p->all[i] = b;
  return b->bytes == 0 || device_holds(b->user + b->facts.true_lower, &b->place) || device_holds(b->user, &b->place);
}

int pieces_take(const struct piece_list *list, struct device_pieces *p) {
  struct device_buffer first = {0};
  struct device_type common = {0};
  size_t some = 0;
  if (list->counts == NULL || (list->places == NULL && list->addresses == NULL)) return 0;
  while (some < list->count && list->counts[some] <= 0) some++;
  if (some == list->count) return 0;
  const int is_device = device_holds(list->user, &first.place);
  if (list->types == NULL && !(is_device ? device_type_of : device_type_known)(list->type, &common)) return 0;
  if (!device_takes(place_of(list, some, common.extent), list->counts[some], type_of(list, some), &first)) return 0;
  int held = allocate(p, list->count);
  p->has_types = list->types != NULL;
  for (size_t i = 0; i < list->count && held; i++) held = add(p, list, i, &common);
  if (!held) pieces_release(p);
  return held;
}

/* All in one memory. Places count elements where the type is common: then a piece begins behind as many as came before. */
int pieces_stage(struct device_pieces *p) {
  struct device_buffer whole = {0};
  size_t bytes = 0, elements = 0;
  for (size_t i = 0; i < p->count; i++) {
    if (p->each[i].bytes > 0) whole.place = p->each[i].place;
    p->addresses[i] = (MPI_Aint)bytes;
    const size_t place = p->has_types ? bytes : elements;
    if (place > INT_MAX) return MPI_ERR_COUNT;
    p->places[i] = (int)place;
    bytes += p->each[i].bytes;
    elements += p->each[i].count;
  }
  whole.bytes = bytes;
  const int class = device_stage(&whole);
  if (class != MPI_SUCCESS) return class;
  p->staging = whole.staging;
  for (size_t i = 0; i < p->count; i++) {
    p->each[i].staging = whole.staging;
    p->each[i].packed = whole.staging->memory + p->addresses[i];
  }
  return MPI_SUCCESS;
}

int pieces_pack(struct device_pieces *p) { return device_pack(p->all, p->count); }

int pieces_unpack(struct device_pieces *p) {
  size_t *bytes = calloc(p->count, sizeof *bytes);
  if (bytes == NULL) return MPI_ERR_NO_MEM;
  for (size_t i = 0; i < p->count; i++) bytes[i] = p->each[i].bytes;
  const int class = device_unpack(p->all, bytes, p->count);
  free(bytes);
  return class;
}
