/* The self-test of UCX mode: MPICH makes a type, whose operations are then called by us as UCX would, natively and
 * through ours, in fragments that begin at any byte. */
#include "lower-halves.h"
#ifdef HAS_GENERIC

#include "generic-type.h"

#include "mode.h"
#include "next.h"
#include "probe-type.h"
#include "probe.h"
#include "takes-gpus.h"
#include "types.h"

#include <string.h>

enum { FRAGMENT = 7 };

static int is_ucx(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  NEXT(PMPI_Get_library_version)(text, &length);
  return strstr(text, "ch4:ucx") != NULL;
}

/* No message is finished, whose reference to the type would be given back though nothing took it: small blocks of
 * MPICH's stay. */
static int moves_packed(struct generic_type *type, unsigned char *user, unsigned char *packed) {
  void *state = generic_ours.start_pack(type, user, PROBE_COUNT);
  size_t total = 0;
  for (int first = (PROBE_BYTES - 1) / FRAGMENT * FRAGMENT; first >= 0; first -= FRAGMENT)
    total += generic_ours.pack(state, (size_t)first, packed + first, FRAGMENT);
  const size_t size = generic_ours.packed_size(state);
  generic_forget(state);
  return total == PROBE_BYTES && size == PROBE_BYTES;
}

static int moves_unpacked(struct generic_type *type, unsigned char *user, const unsigned char *packed) {
  void *state = generic_ours.start_unpack(type, user, PROBE_COUNT);
  int wrong = 0;
  for (int first = (PROBE_BYTES - 1) / FRAGMENT * FRAGMENT; first >= 0; first -= FRAGMENT) {
    const int left = PROBE_BYTES - first;
    wrong |= generic_ours.unpack(state, (size_t)first, packed + first, (size_t)(left < FRAGMENT ? left : FRAGMENT));
  }
  generic_forget(state);
  return !wrong;
}

/* A receiver's state packs as a sender's does: native-unpack.c asks it where elements end. */
static int receiver_packs(struct generic_type *type, unsigned char *user, const unsigned char *packed) {
  unsigned char again[PROBE_BYTES];
  return generic_receiver_packs(type, user, PROBE_COUNT, again, sizeof again) == PROBE_BYTES &&
         memcmp(again, packed, PROBE_BYTES) == 0;
}

static int agrees(struct generic_type *type, MPI_Datatype handle) {
  unsigned char user[PROBE_SPAN], packed[2][PROBE_BYTES], unpacked[2][PROBE_SPAN] = {{0}};
  probe_fill(user, sizeof user);
  int right = moves_packed(type, user, packed[0]) && moves_unpacked(type, unpacked[0], packed[0]) &&
              receiver_packs(type, user, packed[0]);
  types_probe(handle);
  type->handle = handle;
  type->is_named = 1;
  mode_chosen = MODE_UCX;
  right = right && moves_packed(type, user, packed[1]) && moves_unpacked(type, unpacked[1], packed[1]);
  mode_chosen = MODE_NATIVE;
  types_freed(handle);
  return right && memcmp(packed[0], packed[1], PROBE_BYTES) == 0 && memcmp(unpacked[0], unpacked[1], PROBE_SPAN) == 0;
}

const char *generic_test(void) {
  MPI_Datatype handle;
  if (!is_ucx()) return "an MPICH whose device is not ch4:ucx";
  if (mpi_takes_gpus()) return "an MPICH that may be given data in a GPU's memory";
  generic_watches = 1;
  const int committed = probe_commit(&handle);
  generic_watches = 0;
  if (!committed) return "the self-test's datatype cannot be made";
  const char *refused = NULL;
  if (generic_made() == NULL) refused = "an MPICH whose calls of UCX are hidden";
  else if (!agrees(generic_made(), handle)) refused = "the self-test packed other bytes";
  NEXT(PMPI_Type_free)(&handle);
  return refused;
}
#endif
