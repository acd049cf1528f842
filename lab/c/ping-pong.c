/* Ping-pong of described datatypes between two ranks: ping-pong LIST SAMPLES MICROSECONDS PATIENCE. Each line of the
 * list is a name, a count and a file with a description; patience is how many messages are waited for our code. In each
 * sample the MPI's own packing, ours, contiguous bytes of the same size, and on one host what bounds a message there
 * take turns, so that the machine's moods meet all alike; each line printed is a cell, times in nanoseconds for one
 * way. The bounds: contiguous bytes in pieces without an MPI (pieces.h); one rank packing while the other unpacks, each
 * its own memory, by MPI_Pack and MPI_Unpack of our code, nothing going from one to the other; and, where libstowage
 * has code for the type, by hand: the pieces packed and unpacked by that, behind a message of the MPI of as many bytes
 * as an offer has. */
#define _GNU_SOURCE 1
#include "described-type.h"
#include "interposer-counts.h"
#include "pieces.h"
#include "stowage_types.h"

#include <dlfcn.h>
#include <unistd.h>

enum contender { NATIVE, OURS, BYTES, PIECES, APART, BY_HAND, CONTENDERS };
static const char *const NAMES[CONTENDERS] = {"native", "ours", "contiguous", "pieces", "apart", "byHand"};
enum { MOST_SAMPLES = 64, OFFER_BYTES = 32 };
static const int64_t CODE_WAIT_NS = (int64_t)60 * 1000000000;

static int rank, samples, patience;
static double sample_seconds;
static struct pieces pieces;
/* The bounds are the last of them. */
static int contenders;
static int (*pause_ours)(int);
static void (*read_counts)(struct counts *);
static stowage_context *context;

struct cell {
  MPI_Datatype type;
  /* NULL: libstowage has no code for it. */
  stowage_type *by_hand;
  int count, bytes;
  unsigned char *sent, *received, *packed;
  size_t room, origin;
};

static void exchange(const struct cell *c, MPI_Datatype type, int count, int turns) {
  void *out = c->sent + c->origin, *in = c->received + c->origin;
  for (int i = 0; i < turns; i++) {
    if (rank == 0) MPI_Send(out, count, type, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(in, count, type, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(out, count, type, 0, 0, MPI_COMM_WORLD);
  }
}

static void copy_out(const void *message, size_t first, unsigned char *place, size_t length) {
  memcpy(place, ((const struct cell *)message)->sent + first, length);
}

static void copy_in(const void *message, size_t first, unsigned char *place, size_t length) {
  memcpy(((const struct cell *)message)->received + first, place, length);
}

static void exchange_pieces(const struct cell *c, int turns) {
  const size_t bytes = (size_t)c->bytes;
  for (int i = 0; i < 2 * turns; i++)
    if (i % 2 == rank) pieces_put(pieces.out, copy_out, c, bytes, piece_of(bytes));
    else pieces_take(pieces.in, copy_in, c, bytes, piece_of(bytes));
}

static void nothing(const void *message, size_t first, unsigned char *place, size_t length) {
  (void)message, (void)first, (void)place, (void)length;
}

static void exchange_apart(const struct cell *c, int turns) {
  for (int i = 0; i < 2 * turns; i++) {
    int at = 0;
    if (i % 2 == rank) MPI_Pack(c->sent + c->origin, c->count, c->type, c->packed, c->bytes, &at, MPI_COMM_SELF);
    else MPI_Unpack(c->packed, c->bytes, &at, c->received + c->origin, c->count, c->type, MPI_COMM_SELF);
    pieces_put(pieces.out, nothing, c, 1, 1);
    pieces_take(pieces.in, nothing, c, 1, 1);
  }
}

static void pack_out(const void *message, size_t first, unsigned char *place, size_t length) {
  const struct cell *c = message;
  stowage_pack_range(c->sent + c->origin, c->count, c->by_hand, (int64_t)first, place, (int64_t)length);
}

static void unpack_in(const void *message, size_t first, unsigned char *place, size_t length) {
  const struct cell *c = message;
  stowage_unpack_range(place, (int64_t)length, c->by_hand, (int64_t)first, c->received + c->origin, c->count);
}

/* As the route's: of columns of a matrix as many as share two lines. */
static size_t piece_by_hand(const struct cell *c) {
  enum { LINE = 64, LINES = 2 };
  const struct stowage_bounds of = stowage_type_bounds(c->by_hand);
  const size_t size = (size_t)stowage_type_size(c->by_hand), piece = piece_of((size_t)c->bytes);
  if (of.extent <= 0 || of.extent > LINE / 2 || of.true_extent <= LINE) return piece;
  const size_t beside = size * (size_t)(LINES * LINE / of.extent);
  return (piece + beside - 1) / beside * beside;
}

static void exchange_by_hand(const struct cell *c, int turns) {
  const size_t bytes = (size_t)c->bytes, piece = piece_by_hand(c);
  unsigned char offer[OFFER_BYTES] = {0};
  for (int i = 0; i < 2 * turns; i++)
    if (i % 2 == rank) {
      MPI_Send(offer, OFFER_BYTES, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
      pieces_put(pieces.out, pack_out, c, bytes, piece);
    } else {
      MPI_Recv(offer, OFFER_BYTES, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      pieces_take(pieces.in, unpack_in, c, bytes, piece);
    }
}

static int is_measured(const struct cell *c, int contender) {
  return contender < contenders && (contender != BY_HAND || c->by_hand != NULL);
}

static double timed(const struct cell *c, enum contender contender, int turns) {
  if (pause_ours != NULL) pause_ours(contender == NATIVE);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (contender == BYTES) exchange(c, MPI_BYTE, c->bytes, turns);
  else if (contender == PIECES) exchange_pieces(c, turns);
  else if (contender == APART) exchange_apart(c, turns);
  else if (contender == BY_HAND) exchange_by_hand(c, turns);
  else exchange(c, c->type, c->count, turns);
  return (MPI_Wtime() - start) / (2.0 * turns) * 1e9;
}

/* What rank 0 measured, on both ranks. */
static double agreed(double ns) {
  MPI_Bcast(&ns, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return ns;
}

/* As many turns as take about one sample's time. */
static int turns_for(const struct cell *c, enum contender contender) {
  int turns = 2;
  double each = agreed(timed(c, contender, turns));
  for (; each * 2 * turns < 2e5 && turns < 1 << 20; turns *= 4) each = agreed(timed(c, contender, turns));
  return (int)(sample_seconds / (each * 2e-9)) + 1;
}

/* Until our code has come or has left the messages to the MPI for good. */
static void warm_up(const struct cell *c) {
  for (int tries = 0; tries < patience && read_counts != NULL; tries++) {
    struct counts before, after;
    read_counts(&before);
    timed(c, OURS, 1);
    read_counts(&after);
    int came = after.native_messages - before.native_messages == after.left_messages - before.left_messages;
    MPI_Allreduce(MPI_IN_PLACE, &came, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (came) return;
    usleep(5000);
  }
}

/* As many messages as a choice between two ways by their times takes, and some more (ways.h). */
enum { MESSAGES_OF_A_CHOICE = 200 };

/* What a contender leaves in memory that had none of it. */
static unsigned char *left_by(const struct cell *c, enum contender contender) {
  unsigned char *left = malloc(c->room);
  memset(c->received, 0x5a, c->room);
  timed(c, contender, 1);
  memcpy(left, c->received, c->room);
  return left;
}

/* Both received the same, gaps as well, who unpacks apart or by hand has it too, and the pieces what was sent. */
static int agree(const struct cell *c) {
  unsigned char *native = left_by(c, NATIVE), *ours = left_by(c, OURS);
  int same = memcmp(native, ours, c->room) == 0;
  if (contenders > PIECES) {
    timed(c, APART, 1);
    unsigned char *apart = left_by(c, APART), *pieced = left_by(c, PIECES);
    same &= memcmp(native, apart, c->room) == 0 && memcmp(c->sent, pieced, (size_t)c->bytes) == 0;
    free(apart);
    free(pieced);
  }
  if (is_measured(c, BY_HAND)) {
    unsigned char *by_hand = left_by(c, BY_HAND);
    same &= memcmp(native, by_hand, c->room) == 0;
    free(by_hand);
  }
  free(native);
  free(ours);
  return same;
}

static void print_times(const char *name, const double *ns) {
  printf(",\"%s\":[", name);
  for (int i = 0; i < samples; i++) printf("%s%.1f", i > 0 ? "," : "", ns[i]);
  printf("]");
}

static void measure(const char *name, const struct cell *c) {
  double ns[CONTENDERS][MOST_SAMPLES];
  int turns[CONTENDERS];
  warm_up(c);
  if (read_counts != NULL) timed(c, OURS, MESSAGES_OF_A_CHOICE);
  const int same = agree(c);
  for (int i = 0; i < contenders; i++) turns[i] = is_measured(c, i) ? turns_for(c, (enum contender)i) : 0;
  /* Messages that this rank sent and received in our turns alone. */
  uint64_t by_ours = 0, natively = 0;
  const uint64_t in_turns = (uint64_t)samples * (uint64_t)turns[OURS] * 2 * (uint64_t)c->bytes;
  for (int sample = 0; sample < samples; sample++)
    for (int i = 0; i < contenders; i++) {
      struct counts now = {0}, then = {0};
      if (!is_measured(c, i)) continue;
      if (read_counts != NULL) read_counts(&now);
      ns[i][sample] = timed(c, (enum contender)i, turns[i]);
      if (read_counts != NULL) read_counts(&then);
      if (i == OURS) by_ours += then.our_bytes - now.our_bytes;
      if (i == OURS) natively += then.native_bytes - now.native_bytes;
    }
  if (rank != 0) return;
  printf("{\"name\":\"%s\",\"bytes\":%d,\"count\":%d,\"verified\":%s,\"share\":%.4f", name, c->bytes, c->count,
         same ? "true" : "false", in_turns > 0 ? (double)by_ours / (double)in_turns : 0.0);
  printf(",\"contiguousShare\":%.4f",
         by_ours + natively < in_turns ? 1.0 - (double)(by_ours + natively) / (double)in_turns : 0.0);
  for (int i = 0; i < contenders; i++)
    if (is_measured(c, i)) print_times(NAMES[i], ns[i]);
  printf("}\n");
  fflush(stdout);
}

static stowage_type *by_hand_of(const char *path) {
  size_t bytes;
  stowage_type *type = NULL;
  int64_t *words = words_in(path, &bytes);
  if (contenders > BY_HAND && stowage_commit_description(context, words, bytes, &type) == STOWAGE_OK &&
      stowage_wait_code(type, CODE_WAIT_NS) != STOWAGE_OK) {
    stowage_type_free(type);
    type = NULL;
  }
  free(words);
  int has_code = type != NULL;
  MPI_Allreduce(MPI_IN_PLACE, &has_code, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (has_code) return type;
  stowage_type_free(type);
  return NULL;
}

static struct cell cell_of(const char *path, int count) {
  struct cell c = {.type = type_in(path), .by_hand = by_hand_of(path), .count = count};
  const struct reach reach = reach_of(c.type, count);
  MPI_Type_size(c.type, &c.bytes);
  c.bytes *= count;
  c.origin = reach.origin;
  c.room = reach.bytes + (size_t)c.bytes;
  if (posix_memalign((void **)&c.sent, 4096, c.room) != 0 || posix_memalign((void **)&c.received, 4096, c.room) != 0)
    exit(2);
  if (posix_memalign((void **)&c.packed, 4096, (size_t)c.bytes) != 0) exit(2);
  for (size_t i = 0; i < c.room; i++) c.sent[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + 7);
  memset(c.received, 0, c.room);
  return c;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE *list = argc == 5 ? fopen(argv[1], "r") : NULL;
  if (list == NULL) return 2;
  samples = atoi(argv[2]);
  sample_seconds = atof(argv[3]) * 1e-6;
  patience = atoi(argv[4]);
  pause_ours = (int (*)(int))dlsym(RTLD_DEFAULT, "stowage_interposer_pause");
  read_counts = (void (*)(struct counts *))dlsym(RTLD_DEFAULT, "stowage_interposer_counts");
  pieces = pieces_between_two(rank);
  contenders = pieces.out != NULL ? CONTENDERS : PIECES;
  context = stowage_open(NULL);
  char name[256], path[1024];
  for (int count; fscanf(list, "%255s %d %1023s", name, &count, path) == 3;) {
    struct cell c = cell_of(path, count);
    measure(name, &c);
    MPI_Type_free(&c.type);
    stowage_type_free(c.by_hand);
    free(c.sent);
    free(c.received);
    free(c.packed);
  }
  stowage_close(context);
  MPI_Finalize();
  return 0;
}
