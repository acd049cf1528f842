/* Persistent sends, and MPI_Sendrecv_replace, of messages that are long enough to go past the MPI: started, completed,
 * cancelled and freed in every way. On two ranks; prints how many checks there were and how many failed. */
#include "past-columns.h"

enum { SENDS = 3, COMPLETIONS = 8 };

static void refill(unsigned char *bytes, int seed) {
  unsigned char *other = filled(seed);
  memcpy(bytes, other, LONGEST);
  free(other);
}

/* By each call that completes requests in turn. */
static void complete(MPI_Request requests[SENDS], int how) {
  int done = 0, place, places[SENDS];
  if (how == 0) MPI_Waitall(SENDS, requests, MPI_STATUSES_IGNORE);
  else if (how == 1)
    while (!done) MPI_Testall(SENDS, requests, &done, MPI_STATUSES_IGNORE);
  for (int i = 0, count; i < SENDS && how > 1; i += count) {
    count = done = 1;
    if (how == 2) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    else if (how == 3) MPI_Waitany(SENDS, requests, &place, MPI_STATUS_IGNORE);
    else if (how == 4) MPI_Waitsome(SENDS, requests, &count, places, MPI_STATUSES_IGNORE);
    else if (how == 5) MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
    else if (how == 6) MPI_Testany(SENDS, requests, &place, &done, MPI_STATUS_IGNORE);
    else MPI_Testsome(SENDS, requests, &count, places, MPI_STATUSES_IGNORE);
    if (!done) count = 0;
  }
}

/* Their communicator and datatype are freed before the first start. */
static void make_sends(unsigned char *const from[SENDS], MPI_Request sends[SENDS]) {
  MPI_Comm communicator;
  MPI_Datatype type;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Type_dup(columns, &type);
  MPI_Send_init(from[0], 1, columns, 1, 0, MPI_COMM_WORLD, &sends[0]);
  MPI_Ssend_init(from[1], 1, type, 1, 1, MPI_COMM_WORLD, &sends[1]);
  MPI_Send_init(from[2], 1, columns, 1, 2, communicator, &sends[2]);
  MPI_Type_free(&type);
  MPI_Comm_free(&communicator);
}

/* One by one or all in one call; each time other bytes. */
static void send_again(void) {
  unsigned char *from[SENDS];
  MPI_Request sends[SENDS];
  int is_cancelled;
  MPI_Status status;
  for (int i = 0; i < SENDS; i++) from[i] = filled(0);
  make_sends(from, sends);
  for (int round = 0; round < COMPLETIONS; round++) {
    for (int i = 0; i < SENDS; i++) refill(from[i], round + i);
    if (round % 2 == 0) MPI_Startall(SENDS, sends);
    else
      for (int i = 0; i < SENDS; i++) MPI_Start(&sends[i]);
    complete(sends, round);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Start(&sends[0]);
  MPI_Cancel(&sends[0]);
  MPI_Wait(&sends[0], &status);
  MPI_Test_cancelled(&status, &is_cancelled);
  MPI_Send(&is_cancelled, 1, MPI_INT, 1, 10, MPI_COMM_WORLD);
  MPI_Start(&sends[1]);
  for (int i = 0; i < SENDS; i++) MPI_Request_free(&sends[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < SENDS; i++) free(from[i]);
}

static void receive_again(void) {
  unsigned char *to[SENDS];
  MPI_Request receives[SENDS];
  MPI_Comm communicator;
  int is_cancelled;
  for (int i = 0; i < SENDS; i++) to[i] = place();
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  for (int i = 0; i < SENDS; i++)
    MPI_Recv_init(to[i], 1, columns, 0, i, i < 2 ? MPI_COMM_WORLD : communicator, &receives[i]);
  MPI_Comm_free(&communicator);
  for (int round = 0; round < COMPLETIONS; round++) {
    for (int i = 0; i < SENDS; i++) memset(to[i], 0, LONGEST);
    MPI_Startall(SENDS, receives);
    complete(receives, COMPLETIONS - 1 - round);
    for (int i = 0; i < SENDS; i++) check(has_columns(to[i], round + i, ROWS), "a start");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  memset(to[0], 0, LONGEST);
  MPI_Start(&receives[0]);
  MPI_Recv(&is_cancelled, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is_cancelled) MPI_Cancel(&receives[0]);
  MPI_Wait(&receives[0], MPI_STATUS_IGNORE);
  check(is_cancelled || has_columns(to[0], COMPLETIONS - 1, ROWS), "a start that the MPI does not cancel");
  memset(to[1], 0, LONGEST);
  MPI_Start(&receives[1]);
  MPI_Wait(&receives[1], MPI_STATUS_IGNORE);
  check(has_columns(to[1], COMPLETIONS, ROWS), "a request that is freed under way");
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < SENDS; i++) {
    MPI_Request_free(&receives[i]);
    free(to[i]);
  }
}

/* What came is where what was sent lay, between bytes that stay. */
static int is_replaced(const unsigned char *bytes, int by, int rows, int of) {
  unsigned char *came = filled(by), *before = filled(of);
  int right = 1;
  for (int i = 0; i < LONGEST && right; i++) {
    const int is_data = i / (STRIDE * ELEMENT) < rows && i % (STRIDE * ELEMENT) < BLOCK * ELEMENT;
    right = bytes[i] == (is_data ? came[i] : before[i]);
  }
  free(came);
  free(before);
  return right;
}

static void replace(void) {
  const int other = 1 - rank, few = ROWS / 4;
  unsigned char *bytes = filled(rank);
  MPI_Request request, receive;
  MPI_Status status;
  MPI_Sendrecv_replace(bytes, 1, columns, other, 0, other, 0, MPI_COMM_WORLD, &status);
  check(is_replaced(bytes, other, ROWS, rank) && count_of(&status) == BYTES, "each other's elements");
  refill(bytes, rank);
  unsigned char *sent = filled(2 + rank), *in = place();
  MPI_Irecv(in, 1, columns, other, 2, MPI_COMM_WORLD, &receive);
  MPI_Isend(sent, few / 2, pairs, other, 1, MPI_COMM_WORLD, &request);
  MPI_Sendrecv_replace(bytes, 1, columns, other, 2, other, 1, MPI_COMM_WORLD, &status);
  check(is_replaced(bytes, 2 + other, few, rank) && count_of(&status) == BYTES / 4, "a shorter message");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  check(has_columns(in, other, ROWS), "what was replaced");
  refill(bytes, rank);
  memset(in, 0, LONGEST);
  MPI_Irecv(in, 1, columns, other, 3, MPI_COMM_WORLD, &request);
  MPI_Sendrecv_replace(bytes, 1, columns, other, 3, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  check(is_replaced(bytes, rank, ROWS, rank) && status.MPI_SOURCE == MPI_PROC_NULL, "nothing");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check(has_columns(in, other, ROWS), "what nothing replaced");
  free(bytes);
  free(sent);
  free(in);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  if (rank == 0) send_again();
  else receive_again();
  replace();
  report_of(MPI_COMM_WORLD);
  end();
  return 0;
}
