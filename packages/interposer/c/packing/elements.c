#include "elements.h"

#include "below.h"
#include "counts.h"
#include "mode.h"
#include "move-range.h"
#include "next.h"
#include "record.h"
#include "verify.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int have_bytes(struct elements *e) {
  return !__builtin_mul_overflow((size_t)e->count, e->code.size_bytes, &e->bytes);
}

int elements_are_ours(struct elements *e) {
  return mode_packs() && e->count > 0 && types_find(e->type, &e->code) && have_bytes(e);
}

int elements_are_movable(struct elements *e) {
  return mode_packs() && e->count > 0 && types_are_movable(e->type, &e->code) && have_bytes(e);
}

void elements_stay_native(const struct elements *e, enum stowage_direction direction) {
  MPI_Count size = 0;
  if (e->count <= 0 || e->code.entry == NULL || e->code.is_dense) return;
  NEXT(PMPI_Type_size_x)(e->type, &size);
  count_native(direction, (uint64_t)(e->count * size));
}

void elements_keep(struct elements *e) {
  MPI_Datatype own;
  if (!mode_verifies() || e->code.kernel == NULL || !types_keep(e->type, &own)) return;
  e->type = own;
  e->is_kept = 1;
}

void elements_drop(struct elements *e) {
  if (e->is_kept) types_drop(&e->type);
}

#if MPI_VERSION >= 4
static int natively_large(const struct elements *e, enum stowage_direction direction, void *packed, MPI_Count bytes) {
  MPI_Count position = 0;
  if (direction == STOWAGE_PACK)
    return NEXT(PMPI_Pack_c)(e->user, e->count, e->type, packed, bytes, &position, e->communicator);
  return NEXT(PMPI_Unpack_c)(packed, bytes, &position, e->user, e->count, e->type, e->communicator);
}
#else
static int natively_large(const struct elements *e, enum stowage_direction direction, void *packed, MPI_Count bytes) {
  return (void)e, (void)direction, (void)packed, (void)bytes, MPI_ERR_COUNT;
}
#endif

int elements_natively(const struct elements *e, enum stowage_direction direction, void *packed, size_t bytes) {
  const int count = (int)e->count;
  int position = 0;
  if (bytes > INT_MAX || count != e->count) return natively_large(e, direction, packed, (MPI_Count)bytes);
  if (direction == STOWAGE_PACK)
    return NEXT(PMPI_Pack)(e->user, count, e->type, packed, (int)bytes, &position, e->communicator);
  return NEXT(PMPI_Unpack)(packed, (int)bytes, &position, e->user, count, e->type, e->communicator);
}

static void move(const struct elements *e, enum stowage_direction direction, void *packed, size_t bytes) {
  if (e->code.kernel != NULL) move_range(e->code.kernel, direction, e->user, (size_t)e->count, packed, 0, bytes);
  else if (direction == STOWAGE_PACK) memcpy(packed, e->user, bytes);
  else memcpy(e->user, packed, bytes);
}

static struct verify_range whole_of(const struct elements *e) {
  return (struct verify_range){e->code.entry, e->code.kernel, (size_t)e->count, 0, e->bytes};
}

/* MPICH 4.0.2 refuses MPI_BOTTOM in MPI_Pack and MPI_Unpack, and tells the program's error handler. */
static int can_the_mpi(const struct elements *e) { return e->user != NULL || mpi_below() != FAMILY_MPICH; }

static int by_the_mpi(const struct elements *e, enum stowage_direction direction, void *packed) {
  mode_compares = 1;
  const int status = elements_natively(e, direction, packed, e->bytes);
  mode_compares = 0;
  return status;
}

int elements_compare_packed(const struct elements *e, void *packed) {
  const struct verify_range range = whole_of(e);
  int differ = 0;
  unsigned char *native = malloc(e->bytes + 1);
  if (native != NULL && can_the_mpi(e) && by_the_mpi(e, STOWAGE_PACK, native) == MPI_SUCCESS)
    differ = verify_packed(&range, packed, native);
  free(native);
  return differ;
}

/* By the MPI, and compared; where that cannot be, by ours, and packed again. */
static void unpack_verified(const struct elements *e, void *packed) {
  const struct verify_range range = whole_of(e);
  if (!can_the_mpi(e) || !verify_can_unpack(&range)) {
    move(e, STOWAGE_UNPACK, packed, e->bytes);
    elements_compare_packed(e, packed);
    return;
  }
  by_the_mpi(e, STOWAGE_UNPACK, packed);
  verify_unpacked(&range, e->user, packed);
}

static void recorded(const struct elements *e, enum stowage_direction direction, size_t bytes, int64_t start_ns) {
  if (start_ns == 0 || e->code.entry == NULL) return;
  record_message(e->code.entry, direction, (int64_t)bytes, 0, 0, 1);
  record_packed(e->code.entry, direction, start_ns, 1);
}

void elements_pack(const struct elements *e, void *packed) {
  const int64_t start_ns = record_start();
  move(e, STOWAGE_PACK, packed, e->bytes);
  if (e->code.kernel == NULL) return;
  recorded(e, STOWAGE_PACK, e->bytes, start_ns);
  if (mode_verifies()) elements_compare_packed(e, packed);
  count_ours(STOWAGE_PACK, e->bytes);
}

/* An element that came in part is moved, and not compared: the MPI unpacks whole ones. */
void elements_unpack(const struct elements *e, void *packed, size_t bytes) {
  if (e->code.kernel == NULL) {
    move(e, STOWAGE_UNPACK, packed, bytes);
    return;
  }
  const int64_t start_ns = record_start();
  const size_t whole = bytes - bytes % e->code.size_bytes;
  struct elements came = *e;
  count_ours(STOWAGE_UNPACK, bytes);
  came.count = (MPI_Count)(whole / e->code.size_bytes);
  came.bytes = whole;
  if (!mode_verifies() || whole < bytes) move(e, STOWAGE_UNPACK, packed, bytes);
  if (mode_verifies() && whole > 0) unpack_verified(&came, packed);
  recorded(e, STOWAGE_UNPACK, bytes, start_ns);
}

/* What is packed stays in the first levels of the cache until it is unpacked. */
static const size_t PIECE = (size_t)16 << 10;

size_t elements_move_room(const struct elements *from, const struct elements *to) {
  if (from->code.is_dense || to->code.is_dense) return 0;
  return from->bytes <= PIECE || mode_verifies() || record_wanted() ? from->bytes : PIECE;
}

static void move_by_pieces(const struct elements *from, const struct elements *to, void *packed) {
  for (size_t first = 0; first < from->bytes; first += PIECE) {
    const size_t left = from->bytes - first, length = left < PIECE ? left : PIECE;
    move_range(from->code.kernel, STOWAGE_PACK, from->user, (size_t)from->count, packed, first, length);
    move_range(to->code.kernel, STOWAGE_UNPACK, to->user, (size_t)to->count, packed, first, length);
  }
  count_ours(STOWAGE_PACK, from->bytes);
  count_ours(STOWAGE_UNPACK, to->bytes);
}

static void move_at_once(const struct elements *from, const struct elements *to, void *packed) {
  elements_pack(from, packed);
  elements_unpack(to, packed, to->bytes);
}

void elements_move(const struct elements *from, const struct elements *to, void *packed) {
  if (from->code.is_dense) elements_unpack(to, from->user, to->bytes);
  else if (to->code.is_dense) elements_pack(from, to->user);
  else if (elements_move_room(from, to) == from->bytes) move_at_once(from, to, packed);
  else move_by_pieces(from, to, packed);
}

void elements_copy(const struct elements *e, void *packed) { move(e, STOWAGE_PACK, packed, e->bytes); }
