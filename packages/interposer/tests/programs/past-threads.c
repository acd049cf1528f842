/* Four threads of each of two ranks send messages that are long enough to go past the MPI, all in both directions at
 * once, under MPI_THREAD_MULTIPLE: past-threads ROUNDS. Two threads of four wait in MPI_Sendrecv, and two for requests.
 * Every receive is checked; in each round one of four is of bytes side by side. Prints how many checks there were and
 * how many failed. */
#include "past-columns.h"

#include <pthread.h>

enum { THREADS = 4, EACH = 2 };

static int rounds;

struct work {
  MPI_Comm communicator;
  int number, checks, wrong;
};

/* Whose message it is, so that no two in sight are alike. */
static int seed_of(const struct work *work, int from, int round, int which) {
  return 1 + from + 2 * which + 4 * work->number + 16 * round;
}

static void checked(struct work *work, int is_right) {
  work->checks++;
  work->wrong += !is_right;
}

static void check_columns(struct work *work, const unsigned char *bytes, int round, int which) {
  checked(work, has_columns(bytes, seed_of(work, 1 - rank, round, which), ROWS));
}

static void by_sendrecv(struct work *work, int round) {
  for (int which = 0; which < EACH; which++) {
    unsigned char *out = filled(seed_of(work, rank, round, which)), *in = place();
    MPI_Sendrecv(out, 1, columns, 1 - rank, 0, in, 1, columns, 1 - rank, 0, work->communicator, MPI_STATUS_IGNORE);
    check_columns(work, in, round, which);
    free(out);
    free(in);
  }
}

/* The second into memory where elements lie side by side. */
static void by_requests(struct work *work, int round) {
  unsigned char *out[EACH], *in[EACH];
  MPI_Request requests[2 * EACH];
  for (int which = 0; which < EACH; which++) {
    out[which] = filled(seed_of(work, rank, round, which));
    in[which] = place();
  }
  MPI_Irecv(in[0], 1, columns, 1 - rank, 0, work->communicator, &requests[0]);
  MPI_Irecv(in[1], BYTES, MPI_BYTE, 1 - rank, 1, work->communicator, &requests[1]);
  for (int which = 0; which < EACH; which++)
    MPI_Isend(out[which], 1, columns, 1 - rank, which, work->communicator, &requests[EACH + which]);
  MPI_Waitall(2 * EACH, requests, MPI_STATUSES_IGNORE);
  check_columns(work, in[0], round, 0);
  checked(work, has_packed(in[1], seed_of(work, 1 - rank, round, 1), BYTES));
  for (int which = 0; which < EACH; which++) {
    free(out[which]);
    free(in[which]);
  }
}

static void *run(void *context) {
  struct work *work = context;
  for (int round = 0; round < 4 * rounds; round++) {
    if (work->number % 2 == 0) by_sendrecv(work, round);
    else by_requests(work, round);
  }
  return NULL;
}

int main(int argc, char **argv) {
  struct work works[THREADS];
  pthread_t threads[THREADS];
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  make_types();
  check(provided == MPI_THREAD_MULTIPLE, "threads that call the MPI at once");
  checks = 0;
  rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < THREADS; i++) {
    works[i] = (struct work){.number = i};
    MPI_Comm_dup(MPI_COMM_WORLD, &works[i].communicator);
  }
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, &works[i]);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    checks += works[i].checks;
    wrong += works[i].wrong;
    MPI_Comm_free(&works[i].communicator);
  }
  report_of(MPI_COMM_WORLD);
  end();
  return 0;
}
