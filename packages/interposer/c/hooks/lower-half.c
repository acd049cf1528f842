#include <mpi.h>

#include "lower-half.h"

#include "attach.h"
#include "below.h"
#ifdef HAS_CONVERTORS
#include "convertor.h"
#endif
#ifdef HAS_GENERIC
#include "generic.h"
#endif

#ifdef HAS_CONVERTORS
static const struct lower_half convertors = {NULL, convertor_test, MODE_CONVERTOR, NULL};

static void choose_convertors(void *hooks[ROWS]) {
  const struct convertor_hooks *known = convertor_hooks();
  /* Open MPI's pml ucx makes datatypes of UCX too, which are its own. */
  hooks[ROW_ucp_dt_create_generic] = hooks[ROW_ucp_dt_destroy] = NULL;
  if (known == NULL) return;
  hooks[ROW_opal_convertor_prepare_for_send] = (void *)known->prepare_for_send;
  hooks[ROW_opal_convertor_prepare_for_recv] = (void *)known->prepare_for_recv;
  hooks[ROW_opal_convertor_set_position_nocheck] = (void *)known->set_position_nocheck;
  hooks[ROW_opal_convertor_clone] = (void *)known->clone;
  hooks[ROW_opal_convertor_raw] = (void *)known->raw;
  hooks[ROW_opal_convertor_compute_remote_size] = (void *)known->compute_remote_size;
}
#endif

#ifdef HAS_GENERIC
static const struct lower_half generic = {generic_ask_to_receive, generic_test, MODE_UCX, generic_receives};
#endif

const struct lower_half *lower_half(void) {
#if defined(HAS_CONVERTORS) && defined(HAS_GENERIC)
  return mpi_below() == FAMILY_OPEN_MPI ? &convertors : &generic;
#elif defined(HAS_CONVERTORS)
  return &convertors;
#else
  return &generic;
#endif
}

void hooks_choose(void *hooks[ROWS]) {
  (void)hooks;
#ifdef HAS_CONVERTORS
  if (mpi_below() == FAMILY_OPEN_MPI) choose_convertors(hooks);
#endif
}
