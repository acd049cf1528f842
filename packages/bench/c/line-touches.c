/* One word of each cache line that a move reads or writes, and nothing else: what no move through the caches can do
 * without. The scattered side's lines by a table, the packed side's one after the other beside them. */

struct touches {
  /* Lines of the side that has more. */
  long steps;
  const int *places;
  /* How far either side is moved in a step, in 2^-32 lines. */
  unsigned long scattered, packed;
};

#define PLACE t->places[s >> 32]
#define PACKED (p >> 32 << 6)
#define STEPS                 \
  unsigned long s = 0, p = 0; \
  for (long i = 0; i < t->steps; i++, s += t->scattered, p += t->packed)

#define TOUCHES(T, bytes)                                                                \
  void pack_lines_##bytes(const char *source, char *target, const struct touches *t) {   \
    STEPS *(T *)(target + PACKED) = *(const T *)(source + PLACE);                        \
  }                                                                                      \
  void unpack_lines_##bytes(const char *source, char *target, const struct touches *t) { \
    STEPS *(T *)(target + PLACE) = *(const T *)(source + PACKED);                        \
  }

TOUCHES(char, 1)
TOUCHES(short, 2)
TOUCHES(int, 4)
TOUCHES(long, 8)
