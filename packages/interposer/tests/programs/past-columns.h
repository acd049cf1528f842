/* Messages that are long enough to go past the MPI, of which each byte says whose it is, and checks of what came. */
#ifndef PAST_COLUMNS_H
#define PAST_COLUMNS_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 20000, BLOCK = 3, STRIDE = 5, ELEMENT = 8, BYTES = ROWS * BLOCK * ELEMENT };
enum { LONGEST = ROWS * STRIDE * ELEMENT };

static int rank, checks, wrong;
/* A message: all rows; and two of them. */
static MPI_Datatype columns, pairs;

static void check(int is_right, const char *what) {
  checks++;
  if (is_right) return;
  wrong++;
  fprintf(stderr, "rank %d: %s\n", rank, what);
}

/* Memory of which each byte of a message says whose it is. */
static unsigned char *filled(int seed) {
  unsigned char *bytes = malloc(LONGEST);
  for (int i = 0; i < LONGEST; i++) bytes[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + seed * 29);
  return bytes;
}

/* Received as `columns` into memory of 0: the elements came, and no byte besides. */
static int has_columns(const unsigned char *bytes, int seed, int rows) {
  unsigned char *sent = filled(seed);
  int right = 1;
  for (int i = 0; i < LONGEST && right; i++) {
    const int row = i / (STRIDE * ELEMENT), is_data = row < rows && i % (STRIDE * ELEMENT) < BLOCK * ELEMENT;
    right = bytes[i] == (is_data ? sent[i] : 0);
  }
  free(sent);
  return right;
}

/* Of a message that is longer than its receive, whether the elements that fit come: MPI does not say; MPICH, whose
 * processes agree on a long message before any of it is sent, gives none. Asked of the library: a program of the
 * standard's ABI is compiled for none. */
static int fitting_come(void) {
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(library, &length);
  return strstr(library, "MPICH") == NULL;
}

/* Received as bytes one behind the other. */
static int has_packed(const unsigned char *bytes, int seed, int length) {
  unsigned char *sent = filled(seed);
  int right = 1;
  for (int i = 0; i < length && right; i++)
    right = bytes[i] == sent[i / (BLOCK * ELEMENT) * STRIDE * ELEMENT + i % (BLOCK * ELEMENT)];
  free(sent);
  return right;
}

static int count_of(const MPI_Status *status) {
  int bytes;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  return bytes;
}

static unsigned char *place(void) { return calloc(1, LONGEST); }

static void make_types(void) {
  MPI_Datatype row;
  MPI_Type_vector(ROWS, BLOCK, STRIDE, MPI_DOUBLE, &columns);
  MPI_Type_commit(&columns);
  /* Two rows each. */
  MPI_Type_create_hvector(2, BLOCK, STRIDE * ELEMENT, MPI_DOUBLE, &row);
  MPI_Type_create_resized(row, 0, 2 * STRIDE * ELEMENT, &pairs);
  MPI_Type_commit(&pairs);
  MPI_Type_free(&row);
}

static void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  make_types();
}

/* Of all ranks of a communicator: how many checks there were, and how many failed. */
static void report_of(MPI_Comm communicator) {
  const int own[2] = {checks, wrong};
  int all[2], self;
  MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, communicator);
  MPI_Comm_rank(communicator, &self);
  if (self == 0) printf("%d checks, %d wrong\n", all[0], all[1]);
}

static void end(void) {
  MPI_Type_free(&columns);
  MPI_Type_free(&pairs);
  MPI_Finalize();
}

#endif
