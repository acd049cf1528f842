/* What x64 is measured against: gcc -O3 -march=native over plain loops. All take (source, target, shape). */

struct complex128 {
  double re, im;
};
struct padded24 {
  double d;
  int i, j;
  char c;
};
struct __attribute__((packed)) packed17 {
  double d;
  int i, j;
  char c;
};

/* Strides in elements; start in bytes. */
struct field {
  long start, kind;
  long n[4], stride[4];
  const int *list;
};

struct shape {
  long count, extent, fields;
  struct field field[16];
};

#define NAME(name) pack_##name
#define MESSAGE target
#define MESSAGE_OF(T) T *restrict
#define MESSAGE_CHAR char *
#define SCATTERED source
#define ARRAY(T) const T *restrict
#define MOVE(x) *message++ = array[x]
#define PART_MOVE(x) *part++ = array[x]
#define MEMBER(m) message[e].m = array[e].m
#include "plain-loops.h"

#undef NAME
#undef MESSAGE
#undef MESSAGE_OF
#undef MESSAGE_CHAR
#undef SCATTERED
#undef ARRAY
#undef MOVE
#undef PART_MOVE
#undef MEMBER

#define NAME(name) unpack_##name
#define MESSAGE source
#define MESSAGE_OF(T) const T *restrict
#define MESSAGE_CHAR const char *
#define SCATTERED target
#define ARRAY(T) T *restrict
#define MOVE(x) array[x] = *message++
#define PART_MOVE(x) array[x] = *part++
#define MEMBER(m) array[e].m = message[e].m
#include "plain-loops.h"
