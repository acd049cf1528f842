#define _GNU_SOURCE 1
#include "mode.h"

#include "exported.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>

enum mode mode_chosen = MODE_NATIVE;
int mode_paused = 0;
_Thread_local int mode_compares = 0;
_Thread_local unsigned mode_addresses_asked = 0;

int mode_verifies(void) {
  static int asked = -1;
  if (UNLIKELY(asked < 0)) {
    const char *value = secure_getenv("STOWAGE_VERIFY");
    asked = value != NULL && *value != '\0' && strcmp(value, "0") != 0;
  }
  return asked;
}

/* By direction. */
static const char *refusals[2];

void mode_refuse_receives(const char *why) {
  refusals[STOWAGE_UNPACK] = why;
  say("received messages stay native: %s", why);
}

const char *mode_refusal(enum stowage_direction direction) { return refusals[direction]; }

void mode_choose(enum mode mode, const char *why) {
  static const char *const names[] = {"all messages stay native",
                                      "MPI_Pack and MPI_Unpack are ours, messages stay native",
                                      "packing inside Open MPI's convertors", "packing inside MPICH's UCX datatypes",
                                      "packing into memory of ours (staged)"};
  refusals[STOWAGE_PACK] = refusals[STOWAGE_UNPACK] = mode < MODE_CONVERTOR ? why : NULL;
  __atomic_store_n(&mode_chosen, mode, __ATOMIC_RELEASE);
  say("%s: %s", names[mode], why);
}

/* For programs that measure: native packing for a time. Messages under way go on as they began. */
HIDDEN int hook_stowage_interposer_pause(int paused) {
  return __atomic_exchange_n(&mode_paused, paused, __ATOMIC_RELAXED);
}
