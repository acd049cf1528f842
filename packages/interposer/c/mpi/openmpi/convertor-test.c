/* The self-test of convertor mode. A convertor that Open MPI prepares is looked at through our structure; then both
 * pack and unpack the same data, ours in fragments that begin at any byte, through the calls that a pml makes. */
#include "lower-halves.h"
#ifdef HAS_CONVERTORS

#include "convertor.h"

#include "mode.h"
#include "next.h"
#include "predefined.h"
#include "probe-type.h"
#include "probe.h"
#include "types.h"

#include <stdlib.h>
#include <string.h>

struct convertor *opal_convertor_create(int32_t architecture, int32_t mode);
int32_t opal_convertor_pack(struct convertor *, struct iovec *, uint32_t *used, size_t *moved);

enum { FRAGMENT = 7 };

/* The preparation that the self-test waits for. */
static struct {
  MPI_Datatype type;
  const void *user;
  int seen, right;
} expected;

static void watch(struct convertor *c) {
  expected.seen = 1;
  expected.right = *convertor_datatype(c) == expected.type && *convertor_user(c) == expected.user &&
                   *convertor_count(c) == PROBE_COUNT && *convertor_local_size(c) == PROBE_BYTES &&
                   *convertor_remote_size(c) == PROBE_BYTES && *convertor_converted(c) == 0 &&
                   *convertor_partial_length(c) == 0 && *convertor_advance_function(c) != NULL &&
                   (convertor_layout->place == 0 || *convertor_place_function(c) != NULL) &&
                   (*convertor_flags(c) & convertor_layout->homogeneous) != 0;
}

static int has_functions(void) {
  return NEXT(opal_convertor_prepare_for_send) != NULL && NEXT(opal_convertor_prepare_for_recv) != NULL &&
         (convertor_layout->place != 0 || NEXT(opal_convertor_set_position_nocheck) != NULL) &&
         NEXT(opal_convertor_clone) != NULL && NEXT(opal_convertor_raw) != NULL &&
         NEXT(opal_convertor_create) != NULL && NEXT(opal_convertor_pack) != NULL &&
         NEXT(opal_convertor_unpack) != NULL && shared_object("opal_local_arch") != NULL;
}

/* The structure is as we think it is: all that we read stands where we read it. */
static int sees_structure(MPI_Datatype type, unsigned char *user, unsigned char *packed) {
  int position = 0;
  expected.type = type;
  expected.user = user;
  expected.seen = 0;
  convertor_watcher = watch;
  NEXT(PMPI_Pack)(user, PROBE_COUNT, type, packed, PROBE_BYTES, &position, PREDEFINED_SELF);
  convertor_watcher = NULL;
  return expected.seen && expected.right && position == PROBE_BYTES;
}

/* As the MPI does before a fragment of a message. */
static void set_position(struct convertor *c, size_t position) {
  *convertor_flags(c) &= ~convertor_layout->completed;
  if (convertor_layout->place != 0) (*convertor_place_function(c))(c, &position);
  else convertor_hooks()->set_position_nocheck(c, &position);
}

/* The last fragment first. */
static int moves_fragments(MPI_Datatype type, unsigned char *user, unsigned char *packed,
                           enum stowage_direction direction) {
  uint32_t architecture;
  memcpy(&architecture, shared_object("opal_local_arch"), sizeof architecture);
  struct convertor *c = NEXT(opal_convertor_create)((int32_t)architecture, 0);
  if (c == NULL) return 0;
  const struct convertor_hooks *hooks = convertor_hooks();
  (direction == STOWAGE_PACK ? hooks->prepare_for_send : hooks->prepare_for_recv)(c, type, PROBE_COUNT, user);
  int is_ours = 1;
  size_t total = 0;
  for (int first = (PROBE_BYTES - 1) / FRAGMENT * FRAGMENT; first >= 0; first -= FRAGMENT) {
    size_t moved = 0;
    uint32_t used = 1;
    struct iovec segment = {packed + first, FRAGMENT};
    set_position(c, (size_t)first);
    if (direction == STOWAGE_PACK) NEXT(opal_convertor_pack)(c, &segment, &used, &moved);
    else NEXT(opal_convertor_unpack)(c, &segment, &used, &moved);
    total += moved;
    is_ours &= convertor_own(c)->kernel == PROBE_KERNEL && *convertor_converted(c) == (size_t)first + moved;
  }
  free(c);
  return is_ours && total == PROBE_BYTES;
}

static int agrees(MPI_Datatype type, unsigned char *user, const unsigned char *native) {
  unsigned char packed[PROBE_BYTES], ours[PROBE_SPAN] = {0}, theirs[PROBE_SPAN] = {0};
  int position = 0;
  types_probe(type);
  mode_chosen = MODE_CONVERTOR;
  const int moved =
      moves_fragments(type, user, packed, STOWAGE_PACK) && moves_fragments(type, ours, packed, STOWAGE_UNPACK);
  mode_chosen = MODE_NATIVE;
  types_freed(type);
  NEXT(PMPI_Unpack)(packed, PROBE_BYTES, &position, theirs, PROBE_COUNT, type, PREDEFINED_SELF);
  return moved && memcmp(packed, native, sizeof packed) == 0 && memcmp(ours, theirs, sizeof ours) == 0;
}

/* A message that is sent and received: whoever else prepares, advances and clones convertors meets ours there. */
static int receives(MPI_Datatype type, unsigned char *user) {
  unsigned char received[PROBE_SPAN] = {0}, packed[PROBE_BYTES], again[PROBE_BYTES];
  int position = 0, other = 0;
  types_probe(type);
  mode_chosen = MODE_CONVERTOR;
  const int status = NEXT(PMPI_Sendrecv)(user, PROBE_COUNT, type, 0, 0, received, PROBE_COUNT, type, 0, 0,
                                         PREDEFINED_SELF, MPI_STATUS_IGNORE);
  mode_chosen = MODE_NATIVE;
  types_freed(type);
  if (status != MPI_SUCCESS) return 0;
  NEXT(PMPI_Pack)(user, PROBE_COUNT, type, packed, PROBE_BYTES, &position, PREDEFINED_SELF);
  NEXT(PMPI_Pack)(received, PROBE_COUNT, type, again, PROBE_BYTES, &other, PREDEFINED_SELF);
  return memcmp(packed, again, sizeof packed) == 0;
}

const char *convertor_test(void) {
  unsigned char user[PROBE_SPAN], native[PROBE_BYTES];
  MPI_Datatype type;
  int is_initialised = 0;
  NEXT(PMPI_Initialized)(&is_initialised);
  /* A session alone has no MPI_COMM_SELF. */
  if (!is_initialised) return "a session without MPI_Init, which cannot be tried out";
  if (convertor_layout == NULL) return "a release of Open MPI whose convertors are not known";
  if (!has_functions()) return "an Open MPI whose convertors are hidden";
  probe_fill(user, sizeof user);
  if (!probe_commit(&type)) return "the self-test's datatype cannot be made";
  const char *refused = NULL;
  if (!sees_structure(type, user, native)) refused = "a convertor that is laid out otherwise";
  else if (!agrees(type, user, native)) refused = "the self-test packed other bytes";
  else if (!receives(type, user)) refused = "the self-test received other bytes";
  NEXT(PMPI_Type_free)(&type);
  return refused;
}
#endif
