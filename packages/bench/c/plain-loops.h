/* The loops that a careful application writer packs by, once for packing and once for unpacking: NAME names the
 * function, MOVE(i) moves one element between the array and the message. Extents and strides are run-time values, as
 * in the applications; what the applications fix (5 solution components, 3 coordinates) is fixed here too. */

/* Runs of any number of elements in up to four nested loops, the innermost one contiguous. */
#define BOXES(name, T)                                                                         \
  void NAME(name)(const char *restrict source, char *restrict target, const struct shape *s) { \
    MESSAGE_OF(T) message = (MESSAGE_OF(T))MESSAGE;                                            \
    for (long e = 0; e < s->count; e++) {                                                      \
      for (long f = 0; f < s->fields; f++) {                                                   \
        const struct field *b = &s->field[f];                                                  \
        ARRAY(T) array = (ARRAY(T))(SCATTERED + e * s->extent + b->start);                     \
        const long n0 = b->n[0], n1 = b->n[1], n2 = b->n[2], n3 = b->n[3];                     \
        const long s1 = b->stride[1], s2 = b->stride[2], s3 = b->stride[3];                    \
        for (long l = 0; l < n3; l++)                                                          \
          for (long k = 0; k < n2; k++)                                                        \
            for (long j = 0; j < n1; j++)                                                      \
              for (long i = 0; i < n0; i++) MOVE(l * s3 + k * s2 + j * s1 + i);                \
      }                                                                                        \
    }                                                                                          \
  }

/* Blocks of a fixed number of elements at one stride, in up to two outer loops. */
#define BLOCKS(name, T, WIDTH, STRIDE)                                                         \
  void NAME(name)(const char *restrict source, char *restrict target, const struct shape *s) { \
    MESSAGE_OF(T) message = (MESSAGE_OF(T))MESSAGE;                                            \
    const struct field *b = &s->field[0];                                                      \
    const long n1 = b->n[1], n2 = b->n[2], s1 = b->stride[1], s2 = b->stride[2];               \
    (void)s1;                                                                                  \
    for (long e = 0; e < s->count; e++) {                                                      \
      ARRAY(T) array = (ARRAY(T))(SCATTERED + e * s->extent + b->start);                       \
      for (long k = 0; k < n2; k++)                                                            \
        for (long j = 0; j < n1; j++)                                                          \
          for (int i = 0; i < WIDTH; i++) MOVE(k * s2 + j * (STRIDE) + i);                     \
    }                                                                                          \
  }

/* Elements by an index list, a fixed number at each index; one list for all fields. */
#define GATHER(T, WIDTH)                                                    \
  {                                                                         \
    MESSAGE_OF(T) part = (MESSAGE_OF(T))message;                            \
    ARRAY(T) array = (ARRAY(T))(SCATTERED + e * s->extent + b->start);      \
    for (long i = 0; i < n; i++)                                            \
      for (int c = 0; c < WIDTH; c++) PART_MOVE((long)list[i] * WIDTH + c); \
    message = (MESSAGE_CHAR)part;                                           \
  }

BOXES(boxes_f64, double)
BOXES(boxes_f32, float)
BOXES(boxes_u8, unsigned char)
BOXES(boxes_c128, struct complex128)
BLOCKS(blocks_5_f64, double, 5, s1)
BLOCKS(blocks_1_f64, double, 1, s1)
BLOCKS(blocks_1_of_2_f64, double, 1, 2)
BLOCKS(blocks_1_of_64_f64, double, 1, 64)
BLOCKS(blocks_16_of_64_f64, double, 16, 64)
BLOCKS(blocks_3_of_6_f32, float, 3, 6)
BLOCKS(blocks_3_of_32_f32, float, 3, 32)
BLOCKS(blocks_23_of_32_f32, float, 23, 32)
BLOCKS(blocks_18_of_36_f32, float, 18, 36)
BLOCKS(blocks_1_c128, struct complex128, 1, s1)

/* Fields of atoms or points: 8-byte or 4-byte elements, three or one at each index. */
void NAME(lists)(const char *restrict source, char *restrict target, const struct shape *s) {
  MESSAGE_CHAR message = MESSAGE;
  for (long e = 0; e < s->count; e++) {
    for (long f = 0; f < s->fields; f++) {
      const struct field *b = &s->field[f];
      const int *restrict list = b->list;
      const long n = b->n[1];
      switch (b->kind) {
      case 83: GATHER(double, 3) break;
      case 81: GATHER(double, 1) break;
      case 43: GATHER(float, 3) break;
      case 41: GATHER(float, 1) break;
      }
    }
  }
}

/* Blocks of varying length: list holds displacement and length of each, in elements. */
void NAME(indexed_f64)(const char *restrict source, char *restrict target, const struct shape *s) {
  MESSAGE_OF(double) message = (MESSAGE_OF(double))MESSAGE;
  const struct field *b = &s->field[0];
  const int *restrict list = b->list;
  for (long e = 0; e < s->count; e++) {
    ARRAY(double) array = (ARRAY(double))(SCATTERED + e * s->extent + b->start);
    for (long i = 0; i < b->n[1]; i++) {
      const int start = list[2 * i], length = list[2 * i + 1];
      for (int j = 0; j < length; j++) MOVE(start + j);
    }
  }
}

/* An array of C structs, member by member: 17 bytes of data in 24. */
void NAME(struct24)(const char *restrict source, char *restrict target, const struct shape *s) {
  MESSAGE_OF(struct packed17) message = (MESSAGE_OF(struct packed17))MESSAGE;
  ARRAY(struct padded24) array = (ARRAY(struct padded24))(SCATTERED);
  for (long e = 0; e < s->count; e++) {
    MEMBER(d);
    MEMBER(i);
    MEMBER(j);
    MEMBER(c);
  }
}

#undef BOXES
#undef BLOCKS
#undef GATHER
