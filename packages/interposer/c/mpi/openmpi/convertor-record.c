/* The time of native packing inside Open MPI, for --record: convertors that stay native advance by way of here. */
#include "lower-halves.h"
#ifdef HAS_CONVERTORS

#include "convertor.h"

#include "record.h"
#include "types.h"

/* Open MPI has a handful of functions that advance. Which one a convertor had must not lie in the convertor, where all
 * is the MPI's own: each has a function of ours. */
enum { MOST_NATIVE = 8 };
static convertor_advance native[MOST_NATIVE];

static int32_t timed(size_t which, struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) {
  struct type_code code = {0};
  const int64_t start_ns = record_start();
  const int32_t status = native[which](c, segments, used, moved);
  types_find(*convertor_datatype(c), &code);
  const int sends = (*convertor_flags(c) & convertor_layout->send) != 0;
  record_packed(code.entry, sends ? STOWAGE_PACK : STOWAGE_UNPACK, start_ns, 0);
  return status;
}

#define TIMED(which)                                                                                         \
  static int32_t timed_##which(struct convertor *c, struct iovec *segments, uint32_t *used, size_t *moved) { \
    return timed(which, c, segments, used, moved);                                                           \
  }
TIMED(0)
TIMED(1)
TIMED(2)
TIMED(3)
TIMED(4)
TIMED(5)
TIMED(6)
TIMED(7)

static const convertor_advance timing[MOST_NATIVE] = {timed_0, timed_1, timed_2, timed_3,
                                                      timed_4, timed_5, timed_6, timed_7};

void convertor_record_native(struct convertor *c) {
  for (size_t i = 0; i < MOST_NATIVE; i++) {
    convertor_advance none = NULL, *advance = convertor_advance_function(c);
    if (__atomic_compare_exchange_n(&native[i], &none, *advance, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
        none == *advance) {
      *advance = timing[i];
      return;
    }
  }
}
#endif
