/* Two applications whose messages are DDTBench's (Schneider, Gerstenberger and Hoefler 2014): mini-applications SAMPLES
 * SIZE EDGE. FFT2: a field of SIZE^2 complex doubles, its rows among the ranks, is transformed along rows, transposed
 * and transformed again; the receiving datatype transposes, in messages and in MPI_Alltoall. MILC: on a lattice of
 * EDGE^4 sites a rank, vectors of SU(3) are gathered from neighbours along all axes, two of whose faces along z come
 * from other ranks. In each sample the MPI's own packing and ours take turns; a line printed is of whole steps or of
 * their exchanges, times in nanoseconds, of the slowest rank. */
#define _GNU_SOURCE 1
#include <mpi.h>

#include "samples.h"

#include <complex.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SAMPLES = 64, TURNS = 2, OURS = 0, NATIVE = 1, CONTENDERS = 2, MOST_RANKS = 16 };
/* Steps until our code has come, and a choice by times is made (way-choice.h), with pauses for the compiler. */
enum { WARM_UPS = 80, PAUSES = 20 };

static int samples, size, edge, rank, ranks;
static int (*pause_ours)(int);
static double exchange_ns, began_ns;

/* What one rank waits for the other's work is in no exchange. */
static void exchange_begins(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  began_ns = now_ns();
}

static void exchange_ends(void) { exchange_ns += now_ns() - began_ns; }

/* --- FFT2 --- */

static complex double *field, *transposed;
static MPI_Datatype columns_of_rows, rows_of_columns;

/* Radix 2, in place; roots[k] is the k-th of `size` roots of unity. */
static void transform_row(complex double *row, const complex double *roots) {
  for (int i = 1, j = 0; i < size; i++) {
    int bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      const complex double kept = row[i];
      row[i] = row[j];
      row[j] = kept;
    }
  }
  for (int half = 1; half < size; half *= 2)
    for (int from = 0; from < size; from += 2 * half)
      for (int k = 0; k < half; k++) {
        const complex double odd = row[from + k + half] * roots[k * (size / (2 * half))], even = row[from + k];
        row[from + k] = even + odd;
        row[from + k + half] = even - odd;
      }
}

static void transform_rows(complex double *rows) {
  static complex double *roots;
  if (roots == NULL) {
    roots = malloc((size_t)size * sizeof *roots);
    for (int k = 0; k < size; k++) roots[k] = cexp(-2.0 * I * acos(-1.0) * k / size);
  }
  for (int i = 0; i < size / ranks; i++) transform_row(rows + (size_t)i * (size_t)size, roots);
}

/* What one rank sends another: the columns that become its rows; they arrive as columns of the transposed field. */
static void make_transposing_types(void) {
  const int own = size / ranks;
  MPI_Datatype column, block;
  MPI_Type_vector(own, own, size, MPI_C_DOUBLE_COMPLEX, &block);
  MPI_Type_create_resized(block, 0, own * (MPI_Aint)sizeof(complex double), &columns_of_rows);
  MPI_Type_vector(own, 1, size, MPI_C_DOUBLE_COMPLEX, &column);
  MPI_Datatype next;
  MPI_Type_create_resized(column, 0, (MPI_Aint)sizeof(complex double), &next);
  MPI_Type_contiguous(own, next, &block);
  MPI_Type_create_resized(block, 0, own * (MPI_Aint)sizeof(complex double), &rows_of_columns);
  MPI_Type_commit(&columns_of_rows);
  MPI_Type_commit(&rows_of_columns);
}

static void transpose_by_messages(const complex double *from, complex double *to) {
  const int own = size / ranks;
  MPI_Request requests[2 * MOST_RANKS];
  for (int i = 0; i < ranks; i++)
    MPI_Irecv(to + (size_t)i * own, 1, rows_of_columns, i, 0, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < ranks; i++)
    MPI_Isend(from + (size_t)i * own, 1, columns_of_rows, i, 0, MPI_COMM_WORLD, &requests[ranks + i]);
  MPI_Waitall(2 * ranks, requests, MPI_STATUSES_IGNORE);
}

static void transpose_by_alltoall(const complex double *from, complex double *to) {
  MPI_Alltoall(from, 1, columns_of_rows, to, 1, rows_of_columns, MPI_COMM_WORLD);
}

static void fft2(void (*transpose)(const complex double *, complex double *)) {
  transform_rows(field);
  exchange_begins();
  transpose(field, transposed);
  exchange_ends();
  transform_rows(transposed);
  exchange_begins();
  transpose(transposed, field);
  exchange_ends();
  for (size_t i = 0; i < (size_t)size * (size_t)(size / ranks); i++) field[i] /= size;
}

static void fft2_by_messages(void) { fft2(transpose_by_messages); }
static void fft2_by_alltoall(void) { fft2(transpose_by_alltoall); }

/* --- MILC --- */

enum { COLOURS = 3, AXES = 4, Z = 2 };
typedef struct {
  complex double colour[COLOURS];
} su3_vector;
typedef struct {
  complex double element[COLOURS][COLOURS];
} su3_matrix;

/* Sites are x first, then y, z, t; behind them the faces that come from below and from above along z, as t by y by x.
 */
static su3_vector *sites, *gathered;
static su3_matrix *links;
static MPI_Datatype face, received_face;

static size_t volume(void) { return (size_t)edge * (size_t)edge * (size_t)edge * (size_t)edge; }
static size_t area(void) { return volume() / (size_t)edge; }

static void make_faces(void) {
  MPI_Datatype vector;
  MPI_Type_contiguous(2 * COLOURS, MPI_DOUBLE, &vector);
  MPI_Type_vector(edge, edge * edge, edge * edge * edge, vector, &face);
  MPI_Type_contiguous((int)area(), vector, &received_face);
  MPI_Type_commit(&face);
  MPI_Type_commit(&received_face);
}

static void gather_faces(void) {
  const int up = (rank + 1) % ranks, down = (rank + ranks - 1) % ranks;
  const size_t last = (size_t)edge * (size_t)edge * (size_t)(edge - 1);
  MPI_Request requests[4];
  exchange_begins();
  MPI_Irecv(sites + volume(), 1, received_face, down, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(sites + volume() + area(), 1, received_face, up, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(sites + last, 1, face, up, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(sites, 1, face, down, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  exchange_ends();
}

/* The neighbour of a site one step along an axis, up or down; along z beyond the edge it is in a face. */
static const su3_vector *neighbour(const int at[AXES], int axis, int step) {
  const size_t n = (size_t)edge;
  int to[AXES];
  memcpy(to, at, sizeof to);
  to[axis] += step;
  if (axis == Z && (to[Z] < 0 || to[Z] >= edge)) {
    const size_t in_face = ((size_t)to[3] * n + (size_t)to[1]) * n + (size_t)to[0];
    return sites + volume() + (to[Z] < 0 ? 0 : area()) + in_face;
  }
  to[axis] = (to[axis] + edge) % edge;
  return sites + (((size_t)to[3] * n + (size_t)to[2]) * n + (size_t)to[1]) * n + (size_t)to[0];
}

static void add_product(su3_vector *sum, const su3_matrix *link, const su3_vector *of, double sign) {
  for (int i = 0; i < COLOURS; i++)
    for (int j = 0; j < COLOURS; j++) sum->colour[i] += sign * link->element[i][j] * of->colour[j];
}

static void milc(void) {
  gather_faces();
  int at[AXES];
  size_t site = 0;
  for (at[3] = 0; at[3] < edge; at[3]++)
    for (at[2] = 0; at[2] < edge; at[2]++)
      for (at[1] = 0; at[1] < edge; at[1]++)
        for (at[0] = 0; at[0] < edge; at[0]++, site++) {
          su3_vector sum = {{0}};
          for (int axis = 0; axis < AXES; axis++) {
            add_product(&sum, &links[axis], neighbour(at, axis, 1), 0.125);
            add_product(&sum, &links[axis], neighbour(at, axis, -1), -0.125);
          }
          gathered[site] = sum;
        }
  memcpy(sites, gathered, volume() * sizeof *sites);
}

/* --- Steps and their times --- */

static const struct application {
  const char *name;
  void (*step)(void);
} applications[] = {{"FFT2, messages", fft2_by_messages}, {"FFT2, MPI_Alltoall", fft2_by_alltoall}, {"MILC", milc}};
enum { APPLICATIONS = 3, WHOLE = 0, EXCHANGE = 1, PARTS = 2 };

/* The same values for whoever packs. */
static void fill(void) {
  const size_t points = (size_t)size * (size_t)(size / ranks);
  for (size_t i = 0; i < points; i++) field[i] = (double)((i * 7 + (size_t)rank) % 1021) + I * (double)(i % 13);
  for (size_t i = 0; i < volume(); i++)
    for (int c = 0; c < COLOURS; c++) sites[i].colour[c] = (double)((i * 5 + (size_t)c + (size_t)rank) % 509) / 509.0;
  for (int axis = 0; axis < AXES; axis++)
    for (int i = 0; i < COLOURS; i++)
      for (int j = 0; j < COLOURS; j++) links[axis].element[i][j] = 0.25 * (i + axis + 1) - 0.125 * I * j;
}

static void timed(const struct application *a, int contender, double ns[PARTS]) {
  double own[PARTS];
  pause_ours(contender);
  MPI_Barrier(MPI_COMM_WORLD);
  exchange_ns = 0;
  const double start = now_ns();
  for (int turn = 0; turn < TURNS; turn++) a->step();
  own[WHOLE] = (now_ns() - start) / TURNS;
  own[EXCHANGE] = exchange_ns / TURNS;
  MPI_Allreduce(own, ns, PARTS, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

/* Bytes of the fields behind two steps, natively and by us. */
static int agree(const struct application *a) {
  double ns[PARTS];
  const size_t points = (size_t)size * (size_t)(size / ranks);
  complex double *natively = malloc(points * sizeof *natively);
  su3_vector *sites_natively = malloc(volume() * sizeof *sites_natively);
  fill();
  timed(a, NATIVE, ns);
  memcpy(natively, field, points * sizeof *natively);
  memcpy(sites_natively, sites, volume() * sizeof *sites);
  fill();
  timed(a, OURS, ns);
  int same = memcmp(natively, field, points * sizeof *natively) == 0 &&
             memcmp(sites_natively, sites, volume() * sizeof *sites) == 0;
  free(natively);
  free(sites_natively);
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return same;
}

static void print_times(const char *name, double ns[MOST_SAMPLES][PARTS], int part) {
  printf(",\"%s\":[", name);
  for (int i = 0; i < samples; i++) printf("%s%.1f", i > 0 ? "," : "", ns[i][part]);
  printf("]");
}

static void measure(const struct application *a) {
  static const char *const parts[PARTS] = {"whole", "exchange"};
  static double ns[CONTENDERS][MOST_SAMPLES][PARTS];
  const size_t bytes =
      a->step == milc ? 2 * area() * sizeof *sites : 2 * (size_t)size * (size_t)(size / ranks) * sizeof *field;
  fill();
  for (int i = 0; i < WARM_UPS; i++) {
    if (i < PAUSES) usleep(20000);
    timed(a, OURS, ns[OURS][0]);
  }
  const int same = agree(a);
  for (int sample = 0; sample < samples; sample++)
    for (int contender = 0; contender < CONTENDERS; contender++) timed(a, contender, ns[contender][sample]);
  for (int part = 0; rank == 0 && part < PARTS; part++) {
    printf("{\"name\":\"%s, %s\",\"bytes\":%zu,\"verified\":%s", a->name, parts[part], bytes, same ? "true" : "false");
    print_times("ours", ns[OURS], part);
    print_times("native", ns[NATIVE], part);
    printf("}\n");
  }
  fflush(stdout);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pause_ours = (int (*)(int))dlsym(RTLD_DEFAULT, "stowage_interposer_pause");
  if (argc != 4 || pause_ours == NULL) return 1;
  samples = atoi(argv[1]);
  size = atoi(argv[2]);
  edge = atoi(argv[3]);
  if (samples > MOST_SAMPLES || ranks > MOST_RANKS || size % ranks != 0) return 1;
  field = malloc((size_t)size * (size_t)(size / ranks) * sizeof *field);
  transposed = malloc((size_t)size * (size_t)(size / ranks) * sizeof *field);
  sites = malloc((volume() + 2 * area()) * sizeof *sites);
  gathered = malloc(volume() * sizeof *sites);
  links = malloc(AXES * sizeof *links);
  make_transposing_types();
  make_faces();
  for (int i = 0; i < APPLICATIONS; i++) measure(&applications[i]);
  pause_ours(0);
  MPI_Finalize();
  return 0;
}
