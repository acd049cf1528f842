/* MPI-IO of random datatypes by every call that has a buffer: files FILE SEED ROUNDS [commit]. Each line is a kind of
 * call and how many files, memories that were read into, gaps as well, and statuses were wrong on all ranks. Where it
 * is told to commit, types are made and no file is touched: MPICH 4.0.2 by itself never returns from some of these
 * calls. Any number of ranks. */
#include "random-type.h"

#include <stdio.h>
#include <string.h>

static int rank, ranks;
static MPI_File file;
enum { FILES, MEMORIES, STATUSES, CHECKS };
static int wrong[CHECKS];

struct access {
  MPI_Datatype type;
  int count, bytes, elements;
  /* Where this rank's bytes are. */
  MPI_Offset own;
  struct room room;
  unsigned char *written, *read, *packed;
};

static const void *out(const struct access *a) { return a->written + a->room.origin; }
static void *in(const struct access *a) { return a->read + a->room.origin; }

static struct access some_access(void) {
  struct access a = {.type = random_type(3), .count = draw(1, draw(0, 3) != 0 ? 12 : 600)};
  int size, position = 0;
  MPI_Type_commit(&a.type);
  MPI_Type_size(a.type, &size);
  a.bytes = size * a.count;
  a.own = (MPI_Offset)rank * a.bytes;
  a.room = room_of(a.type, a.count);
  a.written = malloc(a.room.bytes);
  a.read = malloc(a.room.bytes);
  a.packed = malloc((size_t)a.bytes);
  fill(a.written, a.room.bytes, (unsigned)rank);
  fill(a.read, a.room.bytes, 100u + (unsigned)rank);
  MPI_Pack(out(&a), a.count, a.type, a.packed, a.bytes, &position, MPI_COMM_SELF);
  return a;
}

static void free_access(struct access *a) {
  MPI_Type_free(&a->type);
  free(a->written);
  free(a->read);
  free(a->packed);
}

static void told(const struct access *a, const MPI_Status *status) {
  int count = -1, bytes = -1;
  MPI_Get_count(status, a->type, &count);
  MPI_Get_elements(status, MPI_BYTE, &bytes);
  wrong[STATUSES] += count != a->count || bytes != a->bytes;
}

/* What was read is what this rank wrote; gaps are as before. */
static void came(struct access *a) {
  unsigned char *expected = malloc(a->room.bytes);
  int position = 0;
  fill(expected, a->room.bytes, 100u + (unsigned)rank);
  MPI_Unpack(a->packed, a->bytes, &position, expected + a->room.origin, a->count, a->type, MPI_COMM_SELF);
  wrong[MEMORIES] += memcmp(expected, a->read, a->room.bytes) != 0;
  fill(a->read, a->room.bytes, 100u + (unsigned)rank);
  free(expected);
}

/* What is written by one rank is read by it or another when all have synchronised. */
static void settle(void) {
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
}

static void rewound(const struct access *a) { MPI_File_seek(file, a->own, MPI_SEEK_SET); }

static void blocking(struct access *a) {
  MPI_Status status;
  rewound(a);
  MPI_File_write(file, out(a), a->count, a->type, &status);
  told(a, &status);
  settle();
  rewound(a);
  MPI_File_read(file, in(a), a->count, a->type, &status);
  told(a, &status);
  came(a);
}

static void at(struct access *a) {
  MPI_Status status;
  MPI_File_write_at(file, a->own, out(a), a->count, a->type, &status);
  told(a, &status);
  settle();
  PMPI_File_read_at(file, a->own, in(a), a->count, a->type, MPI_STATUS_IGNORE);
  came(a);
}

static void all(struct access *a) {
  MPI_Status status;
  rewound(a);
  MPI_File_write_all(file, out(a), a->count, a->type, &status);
  told(a, &status);
  settle();
  rewound(a);
  MPI_File_read_all(file, in(a), a->count, a->type, &status);
  told(a, &status);
  came(a);
}

static void at_all(struct access *a) {
  MPI_Status status;
  MPI_File_write_at_all(file, a->own, out(a), a->count, a->type, MPI_STATUS_IGNORE);
  settle();
  MPI_File_read_at_all(file, a->own, in(a), a->count, a->type, &status);
  told(a, &status);
  came(a);
}

static void in_turns(struct access *a) {
  MPI_Status status;
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_write_ordered(file, out(a), a->count, a->type, &status);
  told(a, &status);
  settle();
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered(file, in(a), a->count, a->type, &status);
  told(a, &status);
  came(a);
  settle();
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_write_ordered_begin(file, out(a), a->count, a->type);
  MPI_File_write_ordered_end(file, out(a), MPI_STATUS_IGNORE);
  settle();
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered_begin(file, in(a), a->count, a->type);
  MPI_File_read_ordered_end(file, in(a), &status);
  told(a, &status);
  came(a);
}

static void shared(struct access *a) {
  for (int turn = 0; turn < 2 * ranks; turn++) {
    if (turn % ranks == 0) settle();
    if (turn % ranks == 0) MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    if (turn == rank) MPI_File_write_shared(file, out(a), a->count, a->type, MPI_STATUS_IGNORE);
    if (turn == ranks + rank) MPI_File_read_shared(file, in(a), a->count, a->type, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  came(a);
  for (int turn = 0; turn < 2 * ranks; turn++) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (turn % ranks == 0) settle();
    if (turn % ranks == 0) MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    if (turn == rank) MPI_File_iwrite_shared(file, out(a), a->count, a->type, &request);
    if (turn == ranks + rank) MPI_File_iread_shared(file, in(a), a->count, a->type, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  came(a);
}

static void split(struct access *a) {
  MPI_Status status;
  rewound(a);
  MPI_File_write_all_begin(file, out(a), a->count, a->type);
  MPI_File_write_all_end(file, out(a), &status);
  told(a, &status);
  settle();
  rewound(a);
  MPI_File_read_all_begin(file, in(a), a->count, a->type);
  MPI_File_read_all_end(file, in(a), MPI_STATUS_IGNORE);
  came(a);
  settle();
  MPI_File_write_at_all_begin(file, a->own, out(a), a->count, a->type);
  MPI_File_write_at_all_end(file, out(a), MPI_STATUS_IGNORE);
  settle();
  MPI_File_read_at_all_begin(file, a->own, in(a), a->count, a->type);
  MPI_File_read_at_all_end(file, in(a), &status);
  told(a, &status);
  came(a);
}

static void nonblocking(struct access *a) {
  MPI_Request requests[2];
  MPI_Status status, statuses[2];
  int flag = 0;
  rewound(a);
  MPI_File_iwrite(file, out(a), a->count, a->type, &requests[0]);
  MPI_Wait(&requests[0], &status);
  told(a, &status);
  settle();
  rewound(a);
  MPI_File_iread(file, in(a), a->count, a->type, &requests[0]);
  while (!flag) MPI_Test(&requests[0], &flag, &status);
  told(a, &status);
  came(a);
  settle();
  MPI_File_iwrite_at(file, a->own, out(a), a->count, a->type, &requests[0]);
  MPI_File_iwrite_at(file, a->own, out(a), a->count, a->type, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  told(a, &statuses[0]);
  settle();
  MPI_File_iread_at(file, a->own, in(a), a->count, a->type, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  came(a);
}

static void nonblocking_all(struct access *a) {
  MPI_Request request;
  MPI_Status status;
  MPI_File_iwrite_at_all(file, a->own, out(a), a->count, a->type, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  settle();
  rewound(a);
  MPI_File_iread_all(file, in(a), a->count, a->type, &request);
  MPI_Waitall(1, &request, &status);
  told(a, &status);
  came(a);
  settle();
  rewound(a);
  MPI_File_iwrite_all(file, out(a), a->count, a->type, &request);
  MPI_Wait(&request, &status);
  told(a, &status);
  settle();
  MPI_File_iread_at_all(file, a->own, in(a), a->count, a->type, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  came(a);
}

/* Forms with large counts. */
static void large(struct access *a) {
#if MPI_VERSION >= 4
  MPI_Status status;
  MPI_Request request;
  MPI_File_write_at_all_c(file, a->own, out(a), a->count, a->type, &status);
  told(a, &status);
  settle();
  MPI_File_read_at_c(file, a->own, in(a), a->count, a->type, &status);
  told(a, &status);
  came(a);
  settle();
  MPI_File_iwrite_at_c(file, a->own, out(a), a->count, a->type, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  settle();
  MPI_File_read_at_all_begin_c(file, a->own, in(a), a->count, a->type);
  MPI_File_read_at_all_end(file, in(a), &status);
  told(a, &status);
  came(a);
#else
  at(a);
#endif
}

/* Each rank has every ranks-th piece of the file. */
enum { PIECE = 16 };
static MPI_Datatype pieces(void) {
  MPI_Datatype piece, spaced;
  MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
  MPI_Type_create_resized(piece, 0, PIECE * (MPI_Aint)ranks, &spaced);
  MPI_Type_commit(&spaced);
  MPI_Type_free(&piece);
  return spaced;
}

/* What this rank wrote, where it should have. */
static void look(const struct access *a, int has_pieces) {
  unsigned char *found = malloc((size_t)a->bytes);
  settle();
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  for (int first = 0; first < a->bytes; first += has_pieces ? PIECE : a->bytes) {
    const int left = a->bytes - first, length = has_pieces && left > PIECE ? PIECE : left;
    const MPI_Offset from = has_pieces ? (MPI_Offset)first * ranks + rank * PIECE : a->own;
    MPI_File_read_at(file, from, found + first, length, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  wrong[FILES] += memcmp(found, a->packed, (size_t)a->bytes) != 0;
  free(found);
}

struct kind {
  const char *name;
  void (*run)(struct access *);
  int has_pieces;
};

static void run(const struct kind *kind, struct access *a, const char *path) {
  MPI_Datatype view = MPI_DATATYPE_NULL;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 0);
  if (kind->has_pieces) {
    view = pieces();
    MPI_File_set_view(file, PIECE * rank, MPI_BYTE, view, "native", MPI_INFO_NULL);
    a->own = 0;
  }
  kind->run(a);
  look(a, kind->has_pieces);
  if (kind->has_pieces) MPI_Type_free(&view);
  MPI_File_close(&file);
}

/* Every other int, in the byte order of "external32": what the file has of the second. Nothing where this MPI has no
 * such files. */
static void represented(const char *path, int is_accessed) {
  enum { INTS = 40 };
  int numbers[2 * INTS];
  unsigned char found[sizeof(int) * INTS] = {0};
  MPI_Datatype type;
  MPI_Type_vector(INTS, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  for (int i = 0; i < 2 * INTS; i++) numbers[i] = i;
  if (is_accessed && rank == 0) {
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    const int status = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
    if (status == MPI_SUCCESS) MPI_File_write(file, numbers, 1, type, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 0, found, sizeof found, MPI_BYTE, MPI_STATUS_IGNORE);
    if (status == MPI_SUCCESS) printf("external32: %d %d\n", found[4], found[7]);
    MPI_File_close(&file);
  }
  MPI_Type_free(&type);
}

int main(int argc, char **argv) {
  static const struct kind kinds[] = {{"blocking", blocking, 0},
                                      {"at", at, 0},
                                      {"all", all, 0},
                                      {"at all", at_all, 0},
                                      {"ordered", in_turns, 0},
                                      {"shared", shared, 0},
                                      {"split", split, 0},
                                      {"nonblocking", nonblocking, 0},
                                      {"nonblocking all", nonblocking_all, 0},
                                      {"large", large, 0},
                                      {"pieces", blocking, 1},
                                      {"pieces at", at, 1},
                                      {"pieces all", all, 1},
                                      {"pieces split", split, 1},
                                      {"pieces nonblocking all", nonblocking_all, 1}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 4) MPI_Abort(MPI_COMM_WORLD, 2);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    int total[CHECKS];
    draws = strtoull(argv[2], NULL, 10) * 1000 + i;
    memset(wrong, 0, sizeof wrong);
    for (int round = 0; round < atoi(argv[3]); round++) {
      struct access a = some_access();
      if (argc == 4) run(&kinds[i], &a, argv[1]);
      free_access(&a);
    }
    MPI_Reduce(wrong, total, CHECKS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
      printf("%s: %d files, %d memories, %d statuses wrong\n", kinds[i].name, total[FILES], total[MEMORIES],
             total[STATUSES]);
  }
  represented(argv[1], argc == 4);
  MPI_Finalize();
  return 0;
}
