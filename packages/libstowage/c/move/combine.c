#include "combine.h"

#include "layout.h"

#include <stddef.h>
#include <string.h>

enum { OPERATIONS = STOWAGE_BXOR + 1, ELEMENTS = STOWAGE_BYTE + 1 };

/* A loop of an operation over a C type: s arrives, t is there. */
#define COMBINING(operation, name, type, combined)                                                                  \
  static void operation##_##name(unsigned char *target, int64_t stride, int64_t count, const unsigned char *source, \
                                 int64_t length) {                                                                  \
    for (uint64_t copy = 0; count > 0; count--, copy += (uint64_t)stride)                                           \
      for (int64_t at = 0; at < length; at += (int64_t)sizeof(type), source += sizeof(type)) {                      \
        type s, t;                                                                                                  \
        memcpy(&s, source, sizeof s);                                                                               \
        memcpy(&t, place_at(target, copy + (uint64_t)at), sizeof t);                                                \
        t = combined;                                                                                               \
        memcpy(place_at(target, copy + (uint64_t)at), &t, sizeof t);                                                \
      }                                                                                                             \
  }

#define LOOP(operation, name, type, result) COMBINING(operation, name, type, (type)(result))

struct complex_float {
  float re, im;
};
struct complex_double {
  double re, im;
};
#define COMPLEX_SUM(type) \
  static type sum_of_##type(type a, type b) { return (type){a.re + b.re, a.im + b.im}; }
#define COMPLEX_PROD(type) \
  static type prod_of_##type(type a, type b) { return (type){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
typedef struct complex_float complex_float;
typedef struct complex_double complex_double;
COMPLEX_SUM(complex_float)
COMPLEX_SUM(complex_double)
COMPLEX_PROD(complex_float)
COMPLEX_PROD(complex_double)

/* A structure is not cast. */
#define COMPLEX_LOOP(operation, name, type, function) COMBINING(operation, name, type, function(s, t))

#define ORDERED(name, type) LOOP(max, name, type, s > t ? s : t) LOOP(min, name, type, s < t ? s : t)
/* Sums and products of integers in 64 bits without a sign: they wrap around, whatever C promotes to. */
#define WRAPPED(name, type) \
  LOOP(sum, name, type, (uint64_t)s + (uint64_t)t) LOOP(prod, name, type, (uint64_t)s *(uint64_t)t)
#define LOGICAL(name, type)                \
  LOOP(land, name, type, s != 0 && t != 0) \
  LOOP(lor, name, type, s != 0 || t != 0) LOOP(lxor, name, type, (s != 0) != (t != 0))
#define BITWISE(name, type) LOOP(band, name, type, s &t) LOOP(bor, name, type, s | t) LOOP(bxor, name, type, s ^ t)
#define INTEGER(name, type) ORDERED(name, type) WRAPPED(name, type) LOGICAL(name, type) BITWISE(name, type)

INTEGER(int8, int8_t)
INTEGER(int16, int16_t)
INTEGER(int32, int32_t)
INTEGER(int64, int64_t)
INTEGER(uint8, uint8_t)
INTEGER(uint16, uint16_t)
INTEGER(uint32, uint32_t)
INTEGER(uint64, uint64_t)
ORDERED(float, float)
LOOP(sum, float, float, s + t)
LOOP(prod, float, float, s *t)
ORDERED(double, double)
LOOP(sum, double, double, s + t)
LOOP(prod, double, double, s *t)
COMPLEX_LOOP(sum, complex_float, complex_float, sum_of_complex_float)
COMPLEX_LOOP(prod, complex_float, complex_float, prod_of_complex_float)
COMPLEX_LOOP(sum, complex_double, complex_double, sum_of_complex_double)
COMPLEX_LOOP(prod, complex_double, complex_double, prod_of_complex_double)

#define INTEGER_ROW(name)                                          \
  {max_##name, min_##name,  sum_##name,  prod_##name, land_##name, \
   lor_##name, lxor_##name, band_##name, bor_##name,  bxor_##name}

/* By element, then operation. Of a bool, any byte but 0 is true. */
static const struct {
  int64_t bytes;
  combine_function by[OPERATIONS];
} table[ELEMENTS] = {
    [STOWAGE_INT8] = {1, INTEGER_ROW(int8)},
    [STOWAGE_INT16] = {2, INTEGER_ROW(int16)},
    [STOWAGE_INT32] = {4, INTEGER_ROW(int32)},
    [STOWAGE_INT64] = {8, INTEGER_ROW(int64)},
    [STOWAGE_UINT8] = {1, INTEGER_ROW(uint8)},
    [STOWAGE_UINT16] = {2, INTEGER_ROW(uint16)},
    [STOWAGE_UINT32] = {4, INTEGER_ROW(uint32)},
    [STOWAGE_UINT64] = {8, INTEGER_ROW(uint64)},
    [STOWAGE_FLOAT] = {4, {max_float, min_float, sum_float, prod_float}},
    [STOWAGE_DOUBLE] = {8, {max_double, min_double, sum_double, prod_double}},
    [STOWAGE_FLOAT_COMPLEX] = {8, {[STOWAGE_SUM] = sum_complex_float, [STOWAGE_PROD] = prod_complex_float}},
    [STOWAGE_DOUBLE_COMPLEX] = {16, {[STOWAGE_SUM] = sum_complex_double, [STOWAGE_PROD] = prod_complex_double}},
    [STOWAGE_BOOL] = {1, {[STOWAGE_LAND] = land_uint8, [STOWAGE_LOR] = lor_uint8, [STOWAGE_LXOR] = lxor_uint8}},
    [STOWAGE_BYTE] = {1, {[STOWAGE_BAND] = band_uint8, [STOWAGE_BOR] = bor_uint8, [STOWAGE_BXOR] = bxor_uint8}},
};

int64_t element_bytes(enum stowage_element element) { return (unsigned)element < ELEMENTS ? table[element].bytes : 0; }

combine_function combine_of(enum stowage_operation operation, enum stowage_element element) {
  if ((unsigned)operation >= OPERATIONS || (unsigned)element >= ELEMENTS) return NULL;
  return table[element].by[operation];
}
