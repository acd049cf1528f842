/* How this process's messages are packed: found out at MPI_Init, native until then. */
#ifndef STOWAGE_MODE_H
#define STOWAGE_MODE_H

#include "stowage.h"

enum mode {
  MODE_NATIVE = 0,
  /* MPI_Pack and MPI_Unpack alone. */
  MODE_PACK,
  /* Inside Open MPI's convertors. */
  MODE_CONVERTOR,
  /* Inside the UCX datatypes that MPICH makes. */
  MODE_UCX,
  /* Into memory of ours, which the MPI sends and receives. */
  MODE_STAGED
};

extern enum mode mode_chosen;
/* Set by a program for a time, and by --verify for good once code of ours differed. */
extern int mode_paused;

/* While this thread has the MPI pack by itself, to compare, or ask a convertor for addresses: nothing deeper inside is
 * ours, or counted. */
extern _Thread_local int mode_compares __attribute__((tls_model("initial-exec")));

/* How many times this thread has asked an Open MPI's convertor for addresses. */
extern _Thread_local unsigned mode_addresses_asked __attribute__((tls_model("initial-exec")));

static inline int mode_is(enum mode mode) {
  return __atomic_load_n(&mode_chosen, __ATOMIC_RELAXED) == mode && !__atomic_load_n(&mode_paused, __ATOMIC_RELAXED);
}

/* Whether messages may begin with an offer, and stand for others (host/host-offer.h): of what is packed inside the MPI.
 */
static inline int mode_takes_offers(void) { return mode_is(MODE_CONVERTOR) || mode_is(MODE_UCX); }

/* Whether anything is ours: MPI_Pack and MPI_Unpack are, in each mode but the first. */
static inline int mode_packs(void) {
  return __atomic_load_n(&mode_chosen, __ATOMIC_RELAXED) != MODE_NATIVE &&
         !__atomic_load_n(&mode_paused, __ATOMIC_RELAXED);
}

/* Chooses, and says so in one line under STOWAGE_VERBOSE. `why` stays. */
void mode_choose(enum mode mode, const char *why);
/* Received messages are native in this mode, for a reason that stays. */
void mode_refuse_receives(const char *why);

/* Why no message of a direction can be ours, in the words of the choice; NULL: each can. */
const char *mode_refusal(enum stowage_direction direction);

/* Whether STOWAGE_VERIFY asks that every message is packed by both. */
int mode_verifies(void);

#endif
