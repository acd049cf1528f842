/* Blocks that are put, got, written and read by rank 0: one-sided FOLDER SAMPLES BYTES WHERE.... The elements at the
 * origin are blocks of doubles with gaps as long; those at the target, or in the file, lie side by side, or in windows
 * as at the origin, with other gaps, or with gaps at the target alone; a file's view has other gaps. In each sample the
 * MPI by itself and with our code take turns; each line is a cell, times of one call and of what completes it in
 * nanoseconds. */
#define _GNU_SOURCE 1
#include <mpi.h>

#include "interposer-counts.h"
#include "samples.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SAMPLES = 64, WORD = sizeof(double), GAP = 2, OTHER_GAP = 3, LONGEST_BLOCK = 4096 };
/* A cell takes no longer than so, but for so many samples: Open MPI puts 32,768 blocks of 8 bytes in a quarter of a
 * second. */
enum { FEWEST = 3 };
static const double LONGEST_NS = 4e9;

static int rank, samples;
static size_t bytes, span;
static int (*pause_ours)(int);
static void (*read_counts)(struct counts *);

/* Which of both sides are blocks. Those of files are at the origin. */
enum sides { AT_ORIGIN, ONE_TYPE, OTHER_GAPS, AT_TARGET, SIDES };
static const char *const side_names[] = {"to bytes side by side", "to blocks", "to blocks with other gaps",
                                         "from bytes side by side to blocks"};

struct cell {
  const char *where;
  int block, is_sent, sides, has_view;
  MPI_Datatype blocks, others;
  unsigned char *origin, *target;
  MPI_Win window;
  MPI_File file;
};

static void one_sided(const struct cell *c) {
  const int words = (int)(bytes / WORD);
  const int own_count = c->sides == AT_TARGET ? words : 1, count = c->sides == AT_ORIGIN ? words : 1;
  const MPI_Datatype own = c->sides == AT_TARGET ? MPI_DOUBLE : c->blocks;
  const MPI_Datatype type = c->sides == AT_ORIGIN ? MPI_DOUBLE : c->sides == OTHER_GAPS ? c->others : c->blocks;
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, c->window);
  if (c->is_sent) MPI_Put(c->origin, own_count, own, 1, 0, count, type, c->window);
  else MPI_Get(c->origin, own_count, own, 1, 0, count, type, c->window);
  MPI_Win_unlock(1, c->window);
}

static void file(const struct cell *c) {
  if (c->is_sent) MPI_File_write_at(c->file, 0, c->origin, 1, c->blocks, MPI_STATUS_IGNORE);
  else MPI_File_read_at(c->file, 0, c->origin, 1, c->blocks, MPI_STATUS_IGNORE);
}

static void call(const struct cell *c) {
  if (c->window != MPI_WIN_NULL) one_sided(c);
  else file(c);
}

static double timed(const struct cell *c, int is_native) {
  pause_ours(is_native);
  const double start = now_ns();
  call(c);
  return now_ns() - start;
}

/* What has to hold everywhere: a salt in the origin of what is sent, or in what the other side has. */
static void fill(unsigned char *memory, unsigned salt) {
  for (size_t i = 0; i < span; i++) memory[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + salt);
}

/* Whether what came by ours is what comes natively, gaps as well. */
static int agrees(const struct cell *c) {
  unsigned char *came[2];
  for (int is_native = 0; is_native < 2; is_native++) {
    came[is_native] = malloc(span);
    fill(c->origin, 1);
    timed(c, is_native);
    if (c->is_sent && c->window == MPI_WIN_NULL) {
      memset(came[is_native], 0, span);
      MPI_File_read_at(c->file, 0, came[is_native], (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    } else if (c->is_sent) {
      MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, c->window);
      MPI_Get(came[is_native], (int)span, MPI_BYTE, 1, 0, (int)span, MPI_BYTE, c->window);
      MPI_Win_unlock(1, c->window);
    } else memcpy(came[is_native], c->origin, span);
  }
  const int same = memcmp(came[0], came[1], span) == 0;
  free(came[0]);
  free(came[1]);
  return same;
}

/* Until our code has come, and transfers that change bytes have shown when the MPI moves them: calls that stay native
 * for good are not waited for longer than a second. */
static void warm_up(const struct cell *c) {
  for (const double start = now_ns(); now_ns() - start < 1e9;) {
    struct counts before, after;
    fill(c->origin, 3);
    read_counts(&before);
    timed(c, 0);
    read_counts(&after);
    if (after.our_messages != before.our_messages) return;
    usleep(5000);
  }
}

static void print_times(const char *name, const double *ns, int count) {
  printf(",\"%s\":[", name);
  for (int i = 0; i < count; i++) printf("%s%.1f", i > 0 ? "," : "", ns[i]);
  printf("]");
}

static void measure(const struct cell *c) {
  double ns[2][MOST_SAMPLES];
  struct counts before, after;
  uint64_t by_ours = 0;
  if (rank == 0) {
    warm_up(c);
    const int same = agrees(c);
    const double start = now_ns();
    int sample = 0;
    for (; sample < samples && (sample < FEWEST || now_ns() - start < LONGEST_NS); sample++)
      for (int is_native = 0; is_native < 2; is_native++) {
        read_counts(&before);
        ns[is_native][sample] = timed(c, is_native);
        read_counts(&after);
        if (!is_native) by_ours += after.our_bytes - before.our_bytes;
      }
    printf("{\"name\":\"%s, %s, blocks of %d bytes, %s\",\"bytes\":%zu,\"verified\":%s,\"share\":%.4f", c->where,
           c->is_sent ? "sent" : "received", c->block, side_names[c->sides], bytes, same ? "true" : "false",
           (double)by_ours / (double)sample / (double)bytes);
    print_times("ours", ns[0], sample);
    print_times("native", ns[1], sample);
    printf("}\n");
    fflush(stdout);
  }
  pause_ours(0);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void each_way(struct cell *c, int sides) {
  for (c->block = WORD; c->block <= LONGEST_BLOCK && (size_t)c->block <= bytes; c->block *= 8) {
    const int words = c->block / WORD, blocks = (int)bytes / c->block;
    MPI_Type_vector(blocks, words, GAP * words, MPI_DOUBLE, &c->blocks);
    MPI_Type_vector(blocks, words, OTHER_GAP * words, MPI_DOUBLE, &c->others);
    MPI_Type_commit(&c->blocks);
    MPI_Type_commit(&c->others);
    if (c->has_view) MPI_File_set_view(c->file, 0, MPI_DOUBLE, c->others, "native", MPI_INFO_NULL);
    for (c->is_sent = 1; c->is_sent >= 0; c->is_sent--)
      for (c->sides = AT_ORIGIN; c->sides < sides; c->sides++) measure(c);
    MPI_Type_free(&c->blocks);
    MPI_Type_free(&c->others);
  }
}

static void in_created(struct cell *c) {
  c->target = malloc(span);
  fill(c->target, 2);
  MPI_Win_create(c->target, (MPI_Aint)span, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &c->window);
  each_way(c, SIDES);
  MPI_Win_free(&c->window);
  free(c->target);
}

static void in_allocated(struct cell *c) {
  fill(c->target, 2);
  MPI_Barrier(MPI_COMM_WORLD);
  each_way(c, SIDES);
  MPI_Win_free(&c->window);
}

static void in_file(struct cell *c, const char *folder) {
  char path[1024];
  c->has_view = strcmp(c->where, "a file's view") == 0;
  snprintf(path, sizeof path, "%s/file-%d", folder, rank);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &c->file);
  each_way(c, AT_ORIGIN + 1);
  MPI_File_close(&c->file);
  c->has_view = 0;
}

/* Where cells are measured, by name. */
static void measure_in(struct cell *c, const char *folder) {
  const MPI_Aint room = (MPI_Aint)span;
  if (strcmp(c->where, "MPI_Win_create") == 0) in_created(c);
  else if (strcmp(c->where, "MPI_Win_allocate") == 0) {
    MPI_Win_allocate(room, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &c->target, &c->window);
    in_allocated(c);
  } else if (strcmp(c->where, "MPI_Win_allocate_shared") == 0) {
    MPI_Win_allocate_shared(room, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &c->target, &c->window);
    in_allocated(c);
  } else in_file(c, folder);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 5) return 2;
  samples = atoi(argv[2]);
  bytes = strtoull(argv[3], NULL, 10);
  span = OTHER_GAP * bytes;
  pause_ours = (int (*)(int))dlsym(RTLD_DEFAULT, "stowage_interposer_pause");
  read_counts = (void (*)(struct counts *))dlsym(RTLD_DEFAULT, "stowage_interposer_counts");
  if (pause_ours == NULL || read_counts == NULL || samples > MOST_SAMPLES) return 2;
  struct cell c = {.origin = malloc(span), .window = MPI_WIN_NULL};
  for (int i = 4; i < argc; i++) {
    c.where = argv[i];
    fill(c.origin, 1);
    measure_in(&c, argv[1]);
  }
  free(c.origin);
  MPI_Finalize();
  return 0;
}
