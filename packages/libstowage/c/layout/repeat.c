/* Loops over runs of one length are written for that length where it is common: a compiler makes loads and stores of
 * it, no call of memcpy. A word is moved in one access or several, and none is read behind its end: the next byte may
 * be on a page that is not there. */
#include "repeat.h"

#include "exact.h"

#include <string.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

typedef unsigned char *restrict bytes;

/* `length` below 64, as two words that overlap: no branch for each byte. */
static ALWAYS_INLINE void short_bytes(unsigned char *restrict to, const unsigned char *restrict from, size_t length) {
  if (length >= 32) {
    unsigned char a[32], b[32];
    memcpy(a, from, 32);
    memcpy(b, from + length - 32, 32);
    memcpy(to, a, 32);
    memcpy(to + length - 32, b, 32);
  } else if (length >= 16) {
    unsigned char a[16], b[16];
    memcpy(a, from, 16);
    memcpy(b, from + length - 16, 16);
    memcpy(to, a, 16);
    memcpy(to + length - 16, b, 16);
  } else if (length >= 8) {
    uint64_t a, b;
    memcpy(&a, from, 8);
    memcpy(&b, from + length - 8, 8);
    memcpy(to, &a, 8);
    memcpy(to + length - 8, &b, 8);
  } else if (length >= 4) {
    uint32_t a, b;
    memcpy(&a, from, 4);
    memcpy(&b, from + length - 4, 4);
    memcpy(to, &a, 4);
    memcpy(to + length - 4, &b, 4);
  } else if (length > 0) {
    const unsigned char a = from[0], b = from[length / 2], c = from[length - 1];
    to[0] = a;
    to[length / 2] = b;
    to[length - 1] = c;
  }
}

enum { LONG_RUN = 64 };

/* `length` is a constant where its caller was written for one; 0: any. */
static ALWAYS_INLINE void any_bytes(unsigned char *restrict to, const unsigned char *restrict from, int64_t length) {
  if (length < LONG_RUN) short_bytes(to, from, (size_t)length);
  else memcpy(to, from, (size_t)length);
}

void move_bytes(unsigned char *target, const unsigned char *source, int64_t length) {
  any_bytes(target, source, length);
}

static ALWAYS_INLINE void run(bytes scattered, bytes packed, int64_t length, int is_known, enum way way) {
  if (is_known && way == TO_PACKED) memcpy(packed, scattered, (size_t)length);
  else if (is_known) memcpy(scattered, packed, (size_t)length);
  else if (way == TO_PACKED) any_bytes(packed, scattered, length);
  else any_bytes(scattered, packed, length);
}

/* --- Stores to lines of few sets of L1d --- */

enum { LINE = 64, WAY_BYTES = 4096, FEWEST_CONFLICTING = 33, MOST_BETWEEN = 6 };

/* How many other stores go between two short runs so far apart, whose lines fall into one set of L1d, two or four: so
 * that of the stores that the processor's queue holds no more wait for lines of a set than it has ways. More fetch each
 * other's lines away before they are written. 0: none. */
static ALWAYS_INLINE int stores_between(int64_t stride, int64_t count, int64_t length) {
  if (length > LINE || stride % (WAY_BYTES / 4) != 0 || count < FEWEST_CONFLICTING) return 0;
  if (stride % (WAY_BYTES / 2) != 0) return MOST_BETWEEN / 4;
  return stride % WAY_BYTES != 0 ? MOST_BETWEEN / 2 : MOST_BETWEEN;
}

/* Unpacks runs with `between` stores to the stack behind each. */
static ALWAYS_INLINE void spaced(bytes scattered, bytes packed, int64_t count, int64_t stride, int64_t length,
                                 int is_known, int between) {
  volatile char place = 0;
  for (uint64_t at = 0; count > 0; count--, at += (uint64_t)stride, packed += length) {
    run(place_at(scattered, at), packed, length, is_known, FROM_PACKED);
    for (int i = 0; i < between; i++) place = 0;
  }
  (void)place;
}

static ALWAYS_INLINE void stream(bytes scattered, bytes packed, int64_t count, int64_t stride, int64_t length,
                                 int is_known, enum way way) {
  uint64_t at = 0;
  const uint64_t step = (uint64_t)stride;
  /* Loads of several lines at once are outstanding together; stores are sent one by one, and wait less so. */
  for (; way == TO_PACKED && count >= 4; count -= 4, at += 4 * step, packed += 4 * length) {
    run(place_at(scattered, at), packed, length, is_known, way);
    run(place_at(scattered, at + step), packed + length, length, is_known, way);
    run(place_at(scattered, at + 2 * step), packed + 2 * length, length, is_known, way);
    run(place_at(scattered, at + 3 * step), packed + 3 * length, length, is_known, way);
  }
  if (way == FROM_PACKED) switch (stores_between(stride, count, length)) {
    case MOST_BETWEEN: spaced(scattered, packed, count, stride, length, is_known, MOST_BETWEEN); return;
    case MOST_BETWEEN / 2: spaced(scattered, packed, count, stride, length, is_known, MOST_BETWEEN / 2); return;
    case MOST_BETWEEN / 4: spaced(scattered, packed, count, stride, length, is_known, MOST_BETWEEN / 4); return;
    default: break;
    }
  for (; count > 0; count--, at += step, packed += length) run(place_at(scattered, at), packed, length, is_known, way);
}

static ALWAYS_INLINE void list(bytes scattered, bytes packed, const int64_t *offsets, int64_t count, int64_t length,
                               int is_known, enum way way) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    run(place_at(scattered, (uint64_t)offsets[i]), packed, length, is_known, way);
    run(place_at(scattered, (uint64_t)offsets[i + 1]), packed + length, length, is_known, way);
    run(place_at(scattered, (uint64_t)offsets[i + 2]), packed + 2 * length, length, is_known, way);
    run(place_at(scattered, (uint64_t)offsets[i + 3]), packed + 3 * length, length, is_known, way);
    packed += 4 * length;
  }
  for (; i < count; i++) {
    run(place_at(scattered, (uint64_t)offsets[i]), packed, length, is_known, way);
    packed += length;
  }
}

enum { MOST_COLUMNS = 8 };

/* How many columns of runs are moved at once, side by side: as fill a line. */
static ALWAYS_INLINE int64_t columns_at_once(int64_t length) {
  return LINE / length < MOST_COLUMNS ? LINE / length : MOST_COLUMNS;
}

/* A row of them: one piece of memory, as many places in the stream, each a column's bytes behind the last. */
static ALWAYS_INLINE void row_of_columns(bytes scattered, bytes packed, int64_t count, int64_t column_bytes,
                                         int64_t length, int is_known, enum way way) {
  for (int64_t i = 0; i < count; i++)
    run(place_at(scattered, (uint64_t)(i * length)), packed + i * column_bytes, length, is_known, way);
}

/* Neighbouring columns of a matrix: its rows go by pieces of a line, so that each line is met once. Column after column
 * each would be met once for every run that it holds, and where rows conflict in a set of L1d, fetched as often. */
static ALWAYS_INLINE void columns(bytes scattered, bytes packed, int64_t count, int64_t rows, int64_t pitch,
                                  int64_t length, int is_known, enum way way) {
  const int64_t most = columns_at_once(length), column_bytes = rows * length;
  const int64_t into_line = (int64_t)((uintptr_t)scattered % LINE);
  /* The first ones up to the end of a line, whose rest the others begin at. */
  int64_t some = into_line == 0 ? most : lesser(most, greater(1, (LINE - into_line) / length));
  for (int64_t at = 0; at < count; at += some, some = most) {
    some = lesser(some, count - at);
    unsigned char *row = place_at(scattered, (uint64_t)(at * length)), *from = packed + at * column_bytes;
    for (int64_t i = 0; i < rows; i++, row = place_at(row, (uint64_t)pitch), from += length)
      if (some == most) row_of_columns(row, from, most, column_bytes, length, is_known, way);
      else row_of_columns(row, from, some, column_bytes, length, is_known, way);
  }
}

/* Whether copies of a stream of runs, `stride` apart, are neighbouring columns, whose rows share no line. */
static ALWAYS_INLINE int are_columns(const struct node *stream, int64_t count, int64_t stride, int64_t length) {
  return count > 1 && stride == length && length <= LINE / 2 && (stream->stride >= LINE || stream->stride <= -LINE);
}

/* Copies of a run; of a stream of runs, so that short rows cost no call; of a list of runs. */
#define LOOPS(name, bytes_known, way)                                                                             \
  static void name##_runs_##way(const struct node *node, int64_t count, int64_t stride, unsigned char *scattered, \
                                unsigned char *packed) {                                                          \
    const int64_t length = (bytes_known) > 0 ? (bytes_known) : node->size;                                        \
    if (stride == length) run(scattered, packed, count * length, 0, way);                                         \
    else stream(scattered, packed, count, stride, length, (bytes_known) > 0, way);                                \
  }                                                                                                               \
  static void name##_rows_##way(const struct node *node, int64_t count, int64_t stride, unsigned char *scattered, \
                                unsigned char *packed) {                                                          \
    const int64_t length = (bytes_known) > 0 ? (bytes_known) : node->child->size;                                 \
    uint64_t at = 0;                                                                                              \
    if ((bytes_known) > 0 && are_columns(node, count, stride, length)) {                                          \
      columns(scattered, packed, count, node->count, node->stride, length, 1, way);                               \
      return;                                                                                                     \
    }                                                                                                             \
    for (int64_t i = 0; i < count; i++, at += (uint64_t)stride, packed += node->size)                             \
      stream(place_at(scattered, at), packed, node->count, node->stride, length, (bytes_known) > 0, way);         \
  }                                                                                                               \
  static void name##_list_##way(const struct node *node, int64_t count, int64_t stride, unsigned char *scattered, \
                                unsigned char *packed) {                                                          \
    const int64_t length = (bytes_known) > 0 ? (bytes_known) : node->child->size;                                 \
    uint64_t at = 0;                                                                                              \
    for (int64_t i = 0; i < count; i++, at += (uint64_t)stride, packed += node->size)                             \
      list(place_at(scattered, at), packed, node->offsets, node->count, length, (bytes_known) > 0, way);          \
  }

/* The lengths that have loops of their own: one word, two, and small multiples, such as the 3 or 5 values of a cell. */
#define EACH_LENGTH(each)                                                                                        \
  each(1) each(2) each(3) each(4) each(6) each(8) each(12) each(16) each(20) each(24) each(32) each(40) each(48) \
      each(64)
#define LOOPS_OF(length) LOOPS(of_##length, length, TO_PACKED) LOOPS(of_##length, length, FROM_PACKED)
EACH_LENGTH(LOOPS_OF)
LOOPS(of_any, 0, TO_PACKED)
LOOPS(of_any, 0, FROM_PACKED)

/* --- Loops over loops --- */

/* A child that leaves no gap between copies, `stride` apart, is one of several. */
static ALWAYS_INLINE void child_at(const struct node *child, int64_t count, int64_t stride, bytes scattered,
                                   bytes packed, enum way way) {
  child->repeat[way](child, count, stride, scattered, packed);
}

static ALWAYS_INLINE void streams(const struct node *node, int64_t count, int64_t stride, unsigned char *scattered,
                                  unsigned char *packed, enum way way) {
  uint64_t at = 0;
  for (; count > 0; count--, at += (uint64_t)stride, packed += node->size)
    child_at(node->child, node->count, node->stride, place_at(scattered, at), packed, way);
}

static ALWAYS_INLINE void lists(const struct node *node, int64_t count, int64_t stride, unsigned char *scattered,
                                unsigned char *packed, enum way way) {
  const int64_t each = node->child->size;
  uint64_t at = 0;
  for (; count > 0; count--, at += (uint64_t)stride)
    for (int64_t i = 0; i < node->count; i++, packed += each)
      child_at(node->child, 1, 0, place_at(scattered, at + (uint64_t)node->offsets[i]), packed, way);
}

static ALWAYS_INLINE void runs(const struct node *node, int64_t count, int64_t stride, unsigned char *scattered,
                               unsigned char *packed, enum way way) {
  const int64_t *offsets = node->offsets, *starts = node->starts;
  uint64_t at = 0;
  for (; count > 0; count--, at += (uint64_t)stride)
    for (int64_t i = 0; i < node->count; i++) {
      const int64_t length = starts[i + 1] - starts[i];
      run(place_at(scattered, at + (uint64_t)offsets[i]), packed, length, 0, way);
      packed += length;
    }
}

static ALWAYS_INLINE void blocks(const struct node *node, int64_t count, int64_t stride, unsigned char *scattered,
                                 unsigned char *packed, enum way way) {
  const int64_t each = node->child->size;
  uint64_t at = 0;
  for (; count > 0; count--, at += (uint64_t)stride)
    for (int64_t i = 0; i < node->count; i++) {
      const int64_t length = node->starts[i + 1] - node->starts[i];
      child_at(node->child, length / each, node->stride, place_at(scattered, at + (uint64_t)node->offsets[i]), packed,
               way);
      packed += length;
    }
}

static ALWAYS_INLINE void members(const struct node *node, int64_t count, int64_t stride, unsigned char *scattered,
                                  unsigned char *packed, enum way way) {
  uint64_t at = 0;
  for (; count > 0; count--, at += (uint64_t)stride)
    for (int64_t i = 0; i < node->count; i++) {
      child_at(node->members[i], 1, 0, place_at(scattered, at + (uint64_t)node->offsets[i]), packed, way);
      packed += node->members[i]->size;
    }
}

#define NESTED(name, way)                                                                                    \
  static void name##_##way(const struct node *node, int64_t count, int64_t stride, unsigned char *scattered, \
                           unsigned char *packed) {                                                          \
    name(node, count, stride, scattered, packed, way);                                                       \
  }
#define NESTED_BOTH(name) NESTED(name, TO_PACKED) NESTED(name, FROM_PACKED)
NESTED_BOTH(streams)
NESTED_BOTH(lists)
NESTED_BOTH(runs)
NESTED_BOTH(blocks)
NESTED_BOTH(members)

/* --- The choice --- */

static const struct row {
  int64_t length; /* 0: any */
  repeat_function runs[2], rows[2], list[2];
} rows[] = {
#define ROW_OF(bytes_each)                                                 \
  {bytes_each,                                                             \
   {of_##bytes_each##_runs_TO_PACKED, of_##bytes_each##_runs_FROM_PACKED}, \
   {of_##bytes_each##_rows_TO_PACKED, of_##bytes_each##_rows_FROM_PACKED}, \
   {of_##bytes_each##_list_TO_PACKED, of_##bytes_each##_list_FROM_PACKED}},
    EACH_LENGTH(ROW_OF){0,
                        {of_any_runs_TO_PACKED, of_any_runs_FROM_PACKED},
                        {of_any_rows_TO_PACKED, of_any_rows_FROM_PACKED},
                        {of_any_list_TO_PACKED, of_any_list_FROM_PACKED}}};

static const struct row *row_of(int64_t length) {
  const struct row *row = rows;
  while (row->length != 0 && row->length != length) row++;
  return row;
}

repeat_function repeat_of(const struct node *node, enum way way) {
  const int is_of_runs = node->child != NULL && node->child->kind == NODE_RUN;
  switch (node->kind) {
  case NODE_RUN: return row_of(node->size)->runs[way];
  case NODE_STREAM:
    if (is_of_runs) return row_of(node->child->size)->rows[way];
    return way == TO_PACKED ? streams_TO_PACKED : streams_FROM_PACKED;
  case NODE_LIST:
    if (is_of_runs) return row_of(node->child->size)->list[way];
    return way == TO_PACKED ? lists_TO_PACKED : lists_FROM_PACKED;
  case NODE_RUNS: return way == TO_PACKED ? runs_TO_PACKED : runs_FROM_PACKED;
  case NODE_BLOCKS: return way == TO_PACKED ? blocks_TO_PACKED : blocks_FROM_PACKED;
  case NODE_SEQUENCE: return way == TO_PACKED ? members_TO_PACKED : members_FROM_PACKED;
  }
  return NULL;
}

const char *loop_name(const struct node *node) {
  const int64_t length = node->kind == NODE_RUN ? node->size : node->child != NULL ? node->child->size : 0;
  const int is_of_runs = node->kind == NODE_RUN || (node->child != NULL && node->child->kind == NODE_RUN);
  if (!is_of_runs) return "a call for each";
  return row_of(length)->length != 0 ? "a loop for this length" : length < LONG_RUN ? "two words" : "memcpy";
}
