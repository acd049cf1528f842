#include "predefined.h"

#include <string.h>

enum { COMPLEX = 1, PAIR = 2 };

/* MPI 4.1, tables 3.2 to 3.4 and section 6.9.4. `bytes`: of the value, or of one part of a complex number. */
static const struct row {
  const char *name;
  int bytes, form, kind;
} rows[] = {
    {"MPI_CHAR", 1, 0, 1},
    {"MPI_SIGNED_CHAR", 1, 0, 2},
    {"MPI_UNSIGNED_CHAR", 1, 0, 3},
    {"MPI_SHORT", 2, 0, 4},
    {"MPI_UNSIGNED_SHORT", 2, 0, 4},
    {"MPI_INT", 4, 0, 5},
    {"MPI_UNSIGNED", 4, 0, 5},
    {"MPI_LONG", 8, 0, 6},
    {"MPI_UNSIGNED_LONG", 8, 0, 6},
    {"MPI_LONG_LONG_INT", 8, 0, 6},
    {"MPI_LONG_LONG", 8, 0, 6},
    {"MPI_UNSIGNED_LONG_LONG", 8, 0, 6},
    {"MPI_FLOAT", 4, 0, 7},
    {"MPI_DOUBLE", 8, 0, 8},
    {"MPI_LONG_DOUBLE", 16, 0, 9},
    {"MPI_WCHAR", 4, 0, 10},
    {"MPI_C_BOOL", 1, 0, 11},
    {"MPI_INT8_T", 1, 0, 12},
    {"MPI_INT16_T", 2, 0, 4},
    {"MPI_INT32_T", 4, 0, 5},
    {"MPI_INT64_T", 8, 0, 6},
    {"MPI_UINT8_T", 1, 0, 13},
    {"MPI_UINT16_T", 2, 0, 4},
    {"MPI_UINT32_T", 4, 0, 5},
    {"MPI_UINT64_T", 8, 0, 6},
    {"MPI_AINT", 8, 0, 6},
    {"MPI_COUNT", 8, 0, 6},
    {"MPI_OFFSET", 8, 0, 6},
    {"MPI_CXX_BOOL", 1, 0, 14},
    {"MPI_BYTE", 1, 0, 15},
    {"MPI_PACKED", 1, 0, 16},
    {"MPI_C_COMPLEX", 4, COMPLEX, 17},
    {"MPI_C_FLOAT_COMPLEX", 4, COMPLEX, 17},
    {"MPI_C_DOUBLE_COMPLEX", 8, COMPLEX, 18},
    {"MPI_C_LONG_DOUBLE_COMPLEX", 16, COMPLEX, 19},
    {"MPI_CXX_FLOAT_COMPLEX", 4, COMPLEX, 17},
    {"MPI_CXX_DOUBLE_COMPLEX", 8, COMPLEX, 18},
    {"MPI_CXX_LONG_DOUBLE_COMPLEX", 16, COMPLEX, 19},
    {"MPI_FLOAT_INT", 4, PAIR, 20},
    {"MPI_DOUBLE_INT", 8, PAIR, 21},
    {"MPI_LONG_INT", 8, PAIR, 22},
    {"MPI_2INT", 4, PAIR, 23},
    {"MPI_SHORT_INT", 2, PAIR, 24},
    {"MPI_LONG_DOUBLE_INT", 16, PAIR, 25},
};

static int64_t rounded_up(int64_t value, int64_t to) { return (value + to - 1) / to * to; }

static struct predefined facts_of(const struct row *row) {
  struct predefined facts = {.alignment = row->bytes, .extent = row->bytes, .length = {row->bytes}, .kind = row->kind};
  if (row->form == COMPLEX) facts.extent = facts.length[0] = (int64_t)2 * row->bytes;
  if (row->form != PAIR) return facts;
  const int64_t index = 4;
  if (facts.alignment < index) facts.alignment = index;
  facts.length[1] = index;
  facts.offset[1] = rounded_up(row->bytes, index);
  facts.extent = rounded_up(facts.offset[1] + index, facts.alignment);
  return facts;
}

static int is_name(const char *name, size_t letters, const char *known) {
  return strlen(known) == letters && memcmp(name, known, letters) == 0;
}

int predefined_of(const char *name, size_t letters, struct predefined *facts) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is_name(name, letters, rows[i].name)) {
      *facts = facts_of(&rows[i]);
      return 1;
    }
  return 0;
}

/* MPI 4.1, tables 3.1 and 3.3, section 6.9.4. `bytes`: of the default kind; 0: digits behind the name tell. */
static const struct {
  const char *name;
  int64_t bytes;
} fortran[] = {{"INTEGER", 4},         {"REAL", 4},    {"DOUBLE_PRECISION", 8}, {"COMPLEX", 8},
               {"DOUBLE_COMPLEX", 16}, {"LOGICAL", 4}, {"CHARACTER", 1}};

static int is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/* The row of MPI_NAME, MPI_2NAME and either with digits behind it; -1: none. */
static int fortran_row(const char *name, size_t letters, int *pair, int64_t *digits) {
  if (letters < 4 || strncmp(name, "MPI_", 4) != 0) return -1;
  size_t from = 4, to = letters;
  *pair = letters > 4 && name[4] == '2';
  from += (size_t)*pair;
  while (to > from && is_digit(name[to - 1])) to--;
  *digits = 0;
  for (size_t i = to; i < letters && *digits < 1000; i++) *digits = 10 * *digits + (name[i] - '0');
  for (int i = 0; i < (int)(sizeof fortran / sizeof *fortran); i++)
    if (is_name(name + from, to - from, fortran[i].name)) return i;
  return -1;
}

int is_fortran(const char *name, size_t letters) {
  int pair;
  int64_t digits;
  return fortran_row(name, letters, &pair, &digits) >= 0;
}

int64_t fortran_bytes(const char *name, size_t letters) {
  int pair;
  int64_t digits;
  const int row = fortran_row(name, letters, &pair, &digits);
  if (row < 0 || digits > 64) return 0;
  return (digits > 0 ? digits : fortran[row].bytes) * (pair ? 2 : 1);
}
