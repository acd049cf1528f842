#include "lower-halves.h"
#ifdef HAS_CONVERTORS

#include "convertor-native.h"

#include "next.h"

#include <stdlib.h>

void native_begin_receiver(struct native_convertor *native, const struct convertor *c) {
  struct convertor *receiver = convertor_of(native);
  NEXT(opal_convertor_clone)(c, receiver, 0);
  convertor_give_back(receiver, convertor_own(c));
  *convertor_partial_length(receiver) = 0;
  convertor_place(receiver, *convertor_converted(c));
}

/* Ours may be a receiver: it is prepared anew. */
void native_begin_sender(struct native_convertor *native, const struct convertor *c) {
  struct convertor *sender = convertor_of(native);
  NEXT(opal_convertor_clone)(c, sender, 0);
  native_end(native);
  *convertor_stack_size(sender) = CONVERTOR_STATIC_STACK;
  *convertor_stack(sender) = convertor_at(sender, convertor_layout->room);
  *convertor_flags(sender) = 0;
  NEXT(opal_convertor_prepare_for_send)(sender, *convertor_datatype(c), *convertor_count(c), *convertor_user(c));
  convertor_place(sender, *convertor_converted(c));
}

size_t native_run(struct native_convertor *native, void *packed, size_t length) {
  struct convertor *c = convertor_of(native);
  struct iovec segment = {packed, length};
  uint32_t used = 1;
  size_t moved = 0;
  (*convertor_advance_function(c))(c, &segment, &used, &moved);
  return moved;
}

void native_end(struct native_convertor *native) {
  struct convertor *c = convertor_of(native);
  if (*convertor_stack_size(c) > CONVERTOR_STATIC_STACK) free(*convertor_stack(c));
}
#endif
