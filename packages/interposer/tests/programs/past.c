/* Messages of one host that are long enough to go past the MPI, beside what MPI says of messages: sends and receives of
 * every kind, wildcards, probes, order, truncation, requests and communicators. On three ranks; prints how many checks
 * there were and how many failed. `past fill`: more is sent than any memory between processes holds, before anything is
 * received. `past short`: messages that are longer than their receives, which are no longer than an offer or a little
 * longer, and at last of nothing, more than find room at once. `past turns`: messages of one length there and back, one
 * at a time and three, as many as trials take. `past calls`: likewise by persistent requests, MPI_Sendrecv_replace and
 * MPI_Mrecv. `past sizes`: messages of 4 KiB and more, and of a little less. `past handles`: types of two rows twice
 * and of all twice in turns, each freed before the next is made, which has the handle of another. */
#include "past-columns.h"

/* Sends of every kind from rank 0 to rank 1, received in all ways. */
static void send_all(unsigned char *const sent[]) {
  MPI_Request requests[3];
  MPI_Send(sent[0], 1, columns, 1, 0, MPI_COMM_WORLD);
  MPI_Ssend(sent[1], 1, columns, 1, 1, MPI_COMM_WORLD);
  MPI_Isend(sent[2], 1, columns, 1, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(sent[3], 1, columns, 1, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(sent[4], 1, columns, 1, 4, MPI_COMM_WORLD, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Send(sent[5], 1, columns, 1, 5, MPI_COMM_WORLD);
  MPI_Send(sent[6], 1, columns, 1, 6, MPI_COMM_WORLD);
  for (int i = 0; i < 2; i++) MPI_Send(sent[7 + i], 1, columns, 1, 7, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rsend(sent[9], 1, columns, 1, 9, MPI_COMM_WORLD);
}

static void receive_all(void) {
  unsigned char *in[10];
  MPI_Status status;
  MPI_Request requests[3], persistent;
  MPI_Message message;
  for (int i = 0; i < 10; i++) in[i] = place();
  MPI_Recv(in[0], 1, columns, 0, 0, MPI_COMM_WORLD, &status);
  check(has_columns(in[0], 0, ROWS) && count_of(&status) == BYTES, "Send to Recv");
  MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
  check(count_of(&status) == BYTES && status.MPI_SOURCE == 0, "the count of a probe");
  MPI_Recv(in[1], 1, columns, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  check(has_columns(in[1], 1, ROWS) && status.MPI_TAG == 1, "Ssend to a wildcard");
  MPI_Irecv(in[4], BYTES, MPI_BYTE, 0, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in[3], BYTES, MPI_PACKED, 0, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Irecv(in[2], BYTES / ELEMENT, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (int i = 2; i < 5; i++) check(has_packed(in[i], i, BYTES), "Isends to contiguous memory, in another order");
  MPI_Mprobe(0, 5, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(in[5], 1, columns, &message, &status);
  check(has_columns(in[5], 5, ROWS) && count_of(&status) == BYTES, "Send to Mrecv");
  /* More room than came. */
  MPI_Recv(in[6], LONGEST, MPI_BYTE, 0, 6, MPI_COMM_WORLD, &status);
  check(has_packed(in[6], 6, BYTES) && count_of(&status) == BYTES, "Send to a longer Recv");
  MPI_Recv_init(in[7], ROWS / 2, pairs, 0, 7, MPI_COMM_WORLD, &persistent);
  for (int i = 0; i < 2; i++) {
    memset(in[7], 0, LONGEST);
    MPI_Start(&persistent);
    MPI_Wait(&persistent, &status);
    check(has_columns(in[7], 7 + i, ROWS), "Send to a persistent receive of another type");
  }
  MPI_Request_free(&persistent);
  MPI_Irecv(in[9], 1, columns, 0, 9, MPI_COMM_WORLD, &requests[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&requests[0], &status);
  check(has_columns(in[9], 9, ROWS), "Rsend to Irecv");
  for (int i = 0; i < 10; i++) free(in[i]);
}

/* A message that is longer than its receive is an error of that alone. */
static void overflow(unsigned char *const sent[]) {
  unsigned char *in = place();
  MPI_Status status;
  int class = MPI_SUCCESS;
  if (rank == 0) {
    MPI_Send(sent[1], 1, columns, 1, 11, MPI_COMM_WORLD);
    MPI_Send(sent[2], 1, columns, 1, 12, MPI_COMM_WORLD);
  } else if (rank == 1) {
    const int code = MPI_Recv(in, BYTES / 2, MPI_BYTE, 0, 11, MPI_COMM_WORLD, &status);
    MPI_Error_class(code, &class);
    check(class == MPI_ERR_TRUNCATE, "a message that is longer than its receive");
    int beyond = 0;
    for (int i = BYTES / 2; i < LONGEST; i++) beyond |= in[i];
    check((!fitting_come() || has_packed(in, 1, BYTES / 2)) && !beyond, "what came of it");
    memset(in, 0, LONGEST);
    MPI_Recv(in, 1, columns, 0, 12, MPI_COMM_WORLD, &status);
    check(has_columns(in, 2, ROWS), "the message behind it");
  }
  free(in);
}

/* All at once, in both directions and to itself. */
static void exchange(unsigned char *const sent[], MPI_Comm communicator, const char *what) {
  MPI_Request requests[6];
  unsigned char *in[3];
  int self, size, from;
  MPI_Comm_rank(communicator, &self);
  MPI_Comm_size(communicator, &size);
  for (from = 0; from < size; from++) {
    in[from] = place();
    MPI_Irecv(in[from], 1, columns, from, 20, communicator, &requests[from]);
  }
  for (int to = 0; to < size; to++) MPI_Isend(sent[self], 1, columns, to, 20, communicator, &requests[size + to]);
  MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE);
  for (from = 0; from < size; from++) {
    check(has_columns(in[from], from, ROWS), what);
    free(in[from]);
  }
}

/* Ranks the other way round, and a communicator of two groups. */
static void communicators(unsigned char *const sent[]) {
  MPI_Comm reversed, group, across;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  exchange(sent, reversed, "an exchange among ranks the other way round");
  MPI_Comm_free(&reversed);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 3, &across);
  unsigned char *in = place();
  if (rank == 0) {
    for (int to = 0; to < 2; to++) MPI_Send(sent[3], 1, columns, to, 0, across);
    for (int from = 0; from < 2; from++) {
      memset(in, 0, LONGEST);
      MPI_Recv(in, 1, columns, from, 1, across, MPI_STATUS_IGNORE);
      check(has_columns(in, 1 + from, ROWS), "a message from another group");
    }
  } else {
    MPI_Recv(in, 1, columns, 0, 0, across, MPI_STATUS_IGNORE);
    check(has_columns(in, 3, ROWS), "a message to another group");
    MPI_Send(sent[rank], 1, columns, 0, 1, across);
  }
  free(in);
  MPI_Comm_free(&across);
  MPI_Comm_free(&group);
}

static void sendrecv(unsigned char *const sent[]) {
  unsigned char *in = place();
  MPI_Status status;
  MPI_Request request;
  const int right = (rank + 1) % 3, left = (rank + 2) % 3;
  MPI_Sendrecv(sent[rank], 1, columns, right, 0, in, BYTES, MPI_BYTE, left, 0, MPI_COMM_WORLD, &status);
  check(has_packed(in, left, BYTES) && count_of(&status) == BYTES, "Sendrecv around a ring");
  memset(in, 0, LONGEST);
  MPI_Irecv(in, 1, columns, left, 0, MPI_COMM_WORLD, &request);
  MPI_Sendrecv(sent[rank], 1, columns, right, 0, NULL, 0, columns, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  check(status.MPI_SOURCE == MPI_PROC_NULL, "Sendrecv that receives from no one");
  MPI_Wait(&request, &status);
  check(has_columns(in, left, ROWS), "what it sent");
  free(in);
}

/* So many at once that some find no room: the last first. */
static void fill(unsigned char *const sent[]) {
  enum { MANY = 40 };
  MPI_Request requests[MANY];
  if (rank == 0) {
    for (int i = 0; i < MANY; i++) MPI_Isend(sent[i % 10], 1, columns, 1, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    return;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = MANY - 1; i >= 0 && rank == 1; i--) {
    unsigned char *in = place();
    MPI_Recv(in, 1, columns, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(has_columns(in, i % 10, ROWS), "one of many");
    free(in);
  }
}

/* The room of each is free again for the next. */
static void shortened(unsigned char *const sent[]) {
  enum { EACH = 30 };
  static const int LENGTHS[] = {1, 8, 31, 32, 1024, 40000, 0};
  MPI_Status status;
  unsigned char *in = place();
  for (int turn = 0; turn < EACH * (int)(sizeof LENGTHS / sizeof *LENGTHS); turn++) {
    const int length = LENGTHS[turn / EACH];
    int class = MPI_SUCCESS;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Send(sent[turn % 10], 1, columns, 1, 0, MPI_COMM_WORLD);
    if (rank != 1) continue;
    MPI_Error_class(MPI_Recv(in, length, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &status), &class);
    const int came = !fitting_come() || has_packed(in, turn % 10, length);
    check(class == MPI_ERR_TRUNCATE && came, "a message that is cut short");
  }
  free(in);
}

/* Between ranks 0 and 1. */
static void turns(unsigned char *const sent[]) {
  enum { TURNS = 150, AT_ONCE = 3 };
  MPI_Request requests[2 * AT_ONCE];
  unsigned char *in[AT_ONCE];
  for (int turn = 0; turn < TURNS && rank < 2; turn++) {
    const int count = turn % 2 == 0 ? 1 : AT_ONCE;
    for (int i = 0; i < count; i++) {
      in[i] = place();
      MPI_Irecv(in[i], 1, columns, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < count; i++)
      MPI_Isend(sent[(turn + i + rank) % 10], 1, columns, 1 - rank, i, MPI_COMM_WORLD, &requests[count + i]);
    MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < count; i++) {
      check(has_columns(in[i], (turn + i + 1 - rank) % 10, ROWS), "a message of a turn");
      free(in[i]);
    }
  }
}

enum { CALL_TURNS = 160 };

/* Elements of a type of so many rows go out, and come in. */
static void put_rows(unsigned char *out, const unsigned char *sent, int rows) {
  for (int row = 0, at = 0; row < rows; row++, at += STRIDE * ELEMENT) memcpy(out + at, sent + at, BLOCK * ELEMENT);
}

static MPI_Datatype type_of(int rows) {
  MPI_Datatype type;
  MPI_Type_vector(rows, BLOCK, STRIDE, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

/* Their type and communicator are freed before they are started. */
static void persistent_turns(unsigned char *const sent[], int rows) {
  unsigned char *in = place(), *out = place();
  MPI_Datatype type = type_of(rows);
  MPI_Request requests[2];
  MPI_Comm communicator;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Recv_init(in, 1, type, 1 - rank, 0, communicator, &requests[0]);
  MPI_Send_init(out, 1, type, 1 - rank, 0, communicator, &requests[1]);
  MPI_Comm_free(&communicator);
  MPI_Type_free(&type);
  for (int turn = 0; turn < CALL_TURNS; turn++) {
    put_rows(out, sent[(turn + rank) % 10], rows);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    check(has_columns(in, (turn + 1 - rank) % 10, rows), "a persistent message");
  }
  for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);
  free(in);
  free(out);
}

static void replaced_turns(unsigned char *const sent[], int rows) {
  unsigned char *both = place();
  MPI_Datatype type = type_of(rows);
  for (int turn = 0; turn < CALL_TURNS; turn++) {
    put_rows(both, sent[(turn + rank) % 10], rows);
    MPI_Sendrecv_replace(both, 1, type, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(has_columns(both, (turn + 1 - rank) % 10, rows), "what replaces what was sent");
  }
  MPI_Type_free(&type);
  free(both);
}

static void matched_turns(unsigned char *const sent[], int rows) {
  unsigned char *in = place();
  MPI_Datatype type = type_of(rows);
  MPI_Message message;
  for (int turn = 0; turn < CALL_TURNS; turn++) {
    if (rank == 0) MPI_Send(sent[turn % 10], 1, type, 1, 0, MPI_COMM_WORLD);
    MPI_Mprobe(1 - rank, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, 1, type, &message, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(sent[(turn + 1) % 10], 1, type, 0, 0, MPI_COMM_WORLD);
    check(has_columns(in, (turn + 1 - rank) % 10, rows), "a matched message");
  }
  MPI_Type_free(&type);
  free(in);
}

/* Each kind of calls has a type of its own, and so a choice of its own. */
static void turns_by_calls(unsigned char *const sent[]) {
  persistent_turns(sent, ROWS);
  replaced_turns(sent, ROWS - 1000);
  matched_turns(sent, ROWS - 2000);
}

/* Both ways between ranks 0 and 1, from 4,080 bytes on. */
static void sizes(unsigned char *const sent[]) {
  enum { EACH = 3 };
  static const int MOST_ROWS[] = {170, 171, 342, 683, 2731, 10923, ROWS};
  MPI_Datatype type;
  for (int i = 0; i < EACH * (int)(sizeof MOST_ROWS / sizeof *MOST_ROWS); i++) {
    const int rows = MOST_ROWS[i / EACH];
    unsigned char *in = place();
    MPI_Request request;
    type = type_of(rows);
    MPI_Irecv(in, 1, type, 1 - rank, i, MPI_COMM_WORLD, &request);
    MPI_Send(sent[(i + rank) % 10], 1, type, 1 - rank, i, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(has_columns(in, (i + 1 - rank) % 10, rows), "a message of another size");
    MPI_Type_free(&type);
    free(in);
  }
}

/* From rank 0 to rank 1. */
static void handles(unsigned char *const sent[]) {
  enum { TURNS = 20 };
  MPI_Datatype type, short_ones[TURNS];
  int again = 0, number = 0;
  for (int turn = 0; turn < TURNS && rank < 2; turn++) {
    const int rows = turn / 2 % 2 == 0 ? 2 : ROWS;
    unsigned char *in = place();
    type = type_of(rows);
    if (rows < ROWS) short_ones[number++] = type;
    for (int i = 0; rows == ROWS && i < number; i++) again |= type == short_ones[i];
    if (rank == 0) MPI_Send(sent[turn % 10], 1, type, 1, turn, MPI_COMM_WORLD);
    else {
      MPI_Recv(in, 1, type, 0, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check(has_columns(in, turn % 10, rows), "a message of a handle that was another type's");
    }
    MPI_Type_free(&type);
    free(in);
  }
  if (rank < 2) check(again, "a handle that is given out again");
}

int main(int argc, char **argv) {
  unsigned char *sent[10];
  begin(&argc, &argv);
  for (int i = 0; i < 10; i++) sent[i] = filled(i);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1 && strcmp(argv[1], "fill") == 0) fill(sent);
  else if (argc > 1 && strcmp(argv[1], "short") == 0) shortened(sent);
  else if (argc > 1 && strcmp(argv[1], "calls") == 0) turns_by_calls(sent);
  else if (argc > 1 && strcmp(argv[1], "turns") == 0) turns(sent);
  else if (argc > 1 && strcmp(argv[1], "sizes") == 0) sizes(sent);
  else if (argc > 1 && strcmp(argv[1], "handles") == 0) handles(sent);
  else {
    if (rank == 0) send_all(sent);
    else if (rank == 1) receive_all();
    else MPI_Barrier(MPI_COMM_WORLD);
    overflow(sent);
    exchange(sent, MPI_COMM_WORLD, "an exchange");
    sendrecv(sent);
    communicators(sent);
  }
  report_of(MPI_COMM_WORLD);
  for (int i = 0; i < 10; i++) free(sent[i]);
  end();
  return 0;
}
