#include "lower-halves.h"

#include "attach.h"
#ifdef HAS_CONVERTORS
#include "convertor.h"
#endif

#ifdef HAS_CONVERTORS
static void choose_convertors(void *hooks[ROWS]) {
  const struct convertor_hooks *known = convertor_hooks();
  if (known == NULL) return;
  hooks[ROW_opal_convertor_prepare_for_send] = (void *)known->prepare_for_send;
  hooks[ROW_opal_convertor_prepare_for_recv] = (void *)known->prepare_for_recv;
  hooks[ROW_opal_convertor_set_position_nocheck] = (void *)known->set_position_nocheck;
  hooks[ROW_opal_convertor_clone] = (void *)known->clone;
  hooks[ROW_opal_convertor_raw] = (void *)known->raw;
}
#endif

void hooks_choose(void *hooks[ROWS]) {
  (void)hooks;
#ifdef HAS_CONVERTORS
  choose_convertors(hooks);
#endif
}
