/* Messages that are long enough to go past the MPI, received where elements lie side by side, which an MPI may unpack
 * without asking anybody: by every call that receives, completed by every call that completes, and into every kind of
 * type. On two ranks, each of which sends to the other; prints how many checks there were and how many failed. */
#include "past-columns.h"

static int other;
static MPI_Status status;

static void send_columns(const void *sent, int tag) { MPI_Send(sent, 1, columns, other, tag, MPI_COMM_WORLD); }

/* Rank 0 sends, rank 1 receives; then the other way round. */
#define IN_TURNS(sends, receives)         \
  for (int turn_ = 0; turn_ < 2; turn_++) \
    if (rank == turn_) {                  \
      sends;                              \
    } else {                              \
      receives;                           \
    }

static void check_packed(const unsigned char *in, int seed, const char *what) {
  check(has_packed(in, seed, BYTES) && count_of(&status) == BYTES, what);
}

static void receive_matched(unsigned char *in) {
  MPI_Message message;
  MPI_Request request;
  MPI_Mprobe(other, 0, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(in, BYTES, MPI_BYTE, &message, &status);
  check_packed(in, other, "Mrecv");
  memset(in, 0, LONGEST);
  MPI_Mprobe(other, 1, MPI_COMM_WORLD, &message, &status);
  MPI_Imrecv(in, BYTES / 8, MPI_DOUBLE, &message, &request);
  MPI_Wait(&request, &status);
  check_packed(in, other, "Imrecv");
}

static void send_two(const void *sent) {
  send_columns(sent, 0);
  send_columns(sent, 1);
}

/* Completes two receives, as MPI has it; the status of each. */
static void complete(int how, MPI_Request requests[2], MPI_Status statuses[2]) {
  int done = 0, places[2], count;
  MPI_Status some[2];
  if (how == 0) MPI_Waitall(2, requests, statuses);
  if (how == 1)
    while (!done) MPI_Testall(2, requests, &done, statuses);
  for (int left = 2; how > 1 && left > 0; left -= count) {
    count = 1;
    if (how == 2) MPI_Waitany(2, requests, places, some);
    else if (how == 3) do
        MPI_Testany(2, requests, places, &done, some);
      while (!done);
    else if (how == 4) MPI_Waitsome(2, requests, &count, places, some);
    else if (how == 5) do
        MPI_Testsome(2, requests, &count, places, some);
      while (count == 0);
    else {
      places[0] = left - 1;
      if (how == 6) MPI_Wait(&requests[left - 1], some);
      else if (how == 7) do
          MPI_Test(&requests[left - 1], &done, some);
        while (!done);
      else {
        do MPI_Request_get_status(requests[left - 1], &done, some);
        while (!done);
        MPI_Request_free(&requests[left - 1]);
      }
    }
    for (int i = 0; i < count; i++) statuses[places[i]] = some[i];
  }
}

enum { WAYS_TO_COMPLETE = 9 };

static void receive_two(int how, unsigned char *const in[2]) {
  static const char *const NAMES[] = {"Waitall",  "Testall", "Waitany", "Testany",           "Waitsome",
                                      "Testsome", "Wait",    "Test",    "Request_get_status"};
  MPI_Request requests[2];
  MPI_Status statuses[2];
  for (int i = 0; i < 2; i++) {
    memset(in[i], 0, LONGEST);
    MPI_Irecv(in[i], BYTES, MPI_BYTE, i == 0 ? other : MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &requests[i]);
  }
  complete(how, requests, statuses);
  for (int i = 0; i < 2; i++) {
    status = statuses[i];
    check_packed(in[i], other, NAMES[how]);
  }
}

static void persist(const void *sent, unsigned char *in) {
  MPI_Request requests[2];
  MPI_Recv_init(in, BYTES, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(sent, 1, columns, other, 0, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 3; i++) {
    MPI_Status statuses[2];
    memset(in, 0, LONGEST);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
    status = statuses[0];
    check_packed(in, other, "Recv_init");
  }
  for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);
}

/* A receive whose request is given away, and one that is cancelled: what comes for it later is another's. */
static void give_away(const void *sent, unsigned char *in) {
  MPI_Request request;
  int is_cancelled;
  memset(in, 0, LONGEST);
  MPI_Irecv(in, BYTES, MPI_BYTE, other, 0, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Request sends;
  MPI_Isend(sent, 1, columns, other, 0, MPI_COMM_WORLD, &sends);
  MPI_Wait(&sends, MPI_STATUS_IGNORE);
  /* Messages do not pass each other: behind this one the first has come. */
  unsigned char *after = place();
  MPI_Isend(sent, 1, columns, other, 0, MPI_COMM_WORLD, &sends);
  MPI_Recv(after, BYTES, MPI_BYTE, other, 0, MPI_COMM_WORLD, &status);
  MPI_Wait(&sends, MPI_STATUS_IGNORE);
  check_packed(after, other, "Recv behind one that was freed");
  for (int i = 0; i < 1000 && in[0] != after[0]; i++) MPI_Iprobe(other, 1, MPI_COMM_WORLD, &is_cancelled, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  check(has_packed(in, other, BYTES), "Request_free of a receive");
  memset(in, 0, LONGEST);
  MPI_Irecv(in, BYTES, MPI_BYTE, other, 5, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &is_cancelled);
  check(is_cancelled && in[0] == 0, "Cancel of a receive");
  free(after);
}

/* What a call that does both sends has no gaps, and goes by itself; beside it, columns are sent for it to receive. */
struct beside {
  MPI_Request requests[2];
  unsigned char *in;
};

static struct beside begin_beside(const void *sent) {
  struct beside b = {.in = place()};
  MPI_Irecv(b.in, BYTES, MPI_BYTE, other, 2, MPI_COMM_WORLD, &b.requests[0]);
  MPI_Isend(sent, 1, columns, other, 1, MPI_COMM_WORLD, &b.requests[1]);
  return b;
}

static void end_beside(struct beside *b, const char *what) {
  MPI_Waitall(2, b->requests, MPI_STATUSES_IGNORE);
  check(has_packed(b->in, other, BYTES), what);
  free(b->in);
}

static void exchange(const void *sent, unsigned char *in) {
  unsigned char *packed = place();
  int at = 0;
  MPI_Pack(sent, 1, columns, packed, LONGEST, &at, MPI_COMM_WORLD);
  memset(in, 0, LONGEST);
  MPI_Sendrecv(sent, 1, columns, other, 0, in, BYTES, MPI_BYTE, other, 0, MPI_COMM_WORLD, &status);
  check_packed(in, other, "Sendrecv");
  memset(in, 0, LONGEST);
  MPI_Sendrecv(sent, 1, columns, other, 0, in, BYTES, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check(has_packed(in, other, BYTES), "Sendrecv without a status");
  struct beside b = begin_beside(sent);
  memcpy(in, packed, BYTES);
  MPI_Sendrecv_replace(in, BYTES, MPI_BYTE, other, 2, other, 1, MPI_COMM_WORLD, &status);
  check_packed(in, other, "Sendrecv_replace");
  end_beside(&b, "what Sendrecv_replace sent");
#if MPI_VERSION >= 4
  MPI_Request both;
  b = begin_beside(sent);
  memset(in, 0, LONGEST);
  MPI_Isendrecv(packed, BYTES, MPI_BYTE, other, 2, in, BYTES, MPI_BYTE, other, 1, MPI_COMM_WORLD, &both);
  MPI_Wait(&both, MPI_STATUS_IGNORE);
  check(has_packed(in, other, BYTES), "Isendrecv");
  end_beside(&b, "what Isendrecv sent");
  b = begin_beside(sent);
  memcpy(in, packed, BYTES);
  MPI_Isendrecv_replace(in, BYTES, MPI_BYTE, other, 2, other, 1, MPI_COMM_WORLD, &both);
  MPI_Wait(&both, MPI_STATUS_IGNORE);
  check(has_packed(in, other, BYTES), "Isendrecv_replace");
  end_beside(&b, "what Isendrecv_replace sent");
#endif
  free(packed);
}

/* Types whose bytes lie side by side: of one run, from a place of their own on, of runs in another order. */
static void receive_types(unsigned char *in) {
  enum { FIRST = 64, PARTS = 4, PART = BYTES / PARTS };
  MPI_Datatype row, shifted, turned;
  MPI_Type_contiguous(BLOCK, MPI_DOUBLE, &row);
  MPI_Type_create_hindexed(1, (int[]){BYTES}, (MPI_Aint[]){FIRST}, MPI_BYTE, &shifted);
  MPI_Type_create_hindexed(PARTS, (int[]){PART, PART, PART, PART}, (MPI_Aint[]){PART, 0, 3 * PART, 2 * PART}, MPI_BYTE,
                           &turned);
  MPI_Type_commit(&row);
  MPI_Type_commit(&shifted);
  MPI_Type_commit(&turned);
  memset(in, 0, LONGEST);
  MPI_Recv(in, ROWS, row, other, 0, MPI_COMM_WORLD, &status);
  check_packed(in, other, "rows side by side");
  memset(in, 0, LONGEST);
  MPI_Recv(in, 1, shifted, other, 1, MPI_COMM_WORLD, &status);
  check_packed(in + FIRST, other, "bytes from a place on");
  memset(in, 0, LONGEST);
  MPI_Recv(in, 1, turned, other, 2, MPI_COMM_WORLD, &status);
  unsigned char *right = malloc(BYTES);
  memcpy(right, in + PART, PART);
  memcpy(right + PART, in, PART);
  memcpy(right + 2 * PART, in + 3 * PART, PART);
  memcpy(right + 3 * PART, in + 2 * PART, PART);
  check_packed(right, other, "bytes in another order");
  free(right);
  MPI_Type_free(&row);
  MPI_Type_free(&shifted);
  MPI_Type_free(&turned);
}

/* Pairs of a double and an int, which have gaps, though they are predefined. */
static void send_pairs(void) {
  enum { PAIRS = BYTES / 12, PAIR = 16 };
  MPI_Datatype every_second;
  unsigned char *sent = filled(rank), *memory = calloc(2 * PAIRS, PAIR);
  for (int i = 0; i < PAIRS; i++) memcpy(memory + (size_t)i * 2 * PAIR, sent + (size_t)i * 12, 12);
  MPI_Type_vector(PAIRS, 1, 2, MPI_DOUBLE_INT, &every_second);
  MPI_Type_commit(&every_second);
  MPI_Send(memory, 1, every_second, other, 0, MPI_COMM_WORLD);
  MPI_Type_free(&every_second);
  free(memory);
  free(sent);
}

static void receive_pairs(void) {
  enum { PAIRS = BYTES / 12, PAIR = 16 };
  unsigned char *sent = filled(other), *memory = calloc(PAIRS, PAIR);
  int right = 1;
  MPI_Recv(memory, PAIRS, MPI_DOUBLE_INT, other, 0, MPI_COMM_WORLD, &status);
  for (int i = 0; i < PAIRS; i++) right &= memcmp(memory + (size_t)i * PAIR, sent + (size_t)i * 12, 12) == 0;
  check(right && count_of(&status) == BYTES, "pairs of a double and an int");
  free(memory);
  free(sent);
}

static void send_three(const void *sent) {
  for (int tag = 0; tag < 3; tag++) send_columns(sent, tag);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  other = 1 - rank;
  unsigned char *sent = filled(rank), *in[2] = {place(), place()};
  MPI_Barrier(MPI_COMM_WORLD);
  IN_TURNS(send_two(sent), receive_matched(in[0]))
  for (int how = 0; how < WAYS_TO_COMPLETE; how++) IN_TURNS(send_two(sent), receive_two(how, in))
  persist(sent, in[0]);
  give_away(sent, in[0]);
  exchange(sent, in[0]);
  IN_TURNS(send_three(sent), receive_types(in[0]))
  IN_TURNS(send_pairs(), receive_pairs())
  report_of(MPI_COMM_WORLD);
  free(sent);
  free(in[0]);
  free(in[1]);
  end();
  return 0;
}
