/* What lies between the bytes of a datatype is another's: gaps ROUNDS. A thread writes the gaps of a buffer while
 * messages are received into it, and looks that nothing else has; on two ranks. Then long doubles, whose 6 bytes of
 * padding mean nothing, with a struct of them. Prints. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 2000, COLUMNS = 4, MEMBERS = 300 };
static _Atomic int is_over;
static double sent[ROWS][COLUMNS];
static _Atomic double received[ROWS][COLUMNS];
static _Atomic long writes;
static long lost;
static int peer;

static void *write_gaps(void *none) {
  double value = 0;
  while (!is_over) {
    value++;
    for (int i = 0; i < ROWS; i++) atomic_store_explicit(&received[i][1 + i % 3], value, memory_order_relaxed);
    for (int i = 0; i < ROWS; i++) lost += atomic_load_explicit(&received[i][1 + i % 3], memory_order_relaxed) != value;
    writes += ROWS;
  }
  return none;
}

static int columns(int rounds) {
  pthread_t thread;
  MPI_Datatype column;
  int wrong = 0;
  MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  pthread_create(&thread, NULL, write_gaps, NULL);
  while (writes == 0) continue;
  for (int i = 0; i < rounds; i++) {
    for (int k = 0; k < ROWS; k++) sent[k][0] = i + k;
    MPI_Sendrecv(sent, 1, column, peer, 1, (void *)received, 1, column, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < ROWS; k++) wrong += received[k][0] != i + k;
  }
  is_over = 1;
  pthread_join(thread, NULL);
  MPI_Type_free(&column);
  return wrong;
}

struct member {
  long double value;
  int number;
};

static int long_doubles(int rounds) {
  static struct member out[MEMBERS], in[MEMBERS];
  const int lengths[] = {1, 1};
  const MPI_Aint places[] = {offsetof(struct member, value), offsetof(struct member, number)};
  const MPI_Datatype members[] = {MPI_LONG_DOUBLE, MPI_INT};
  MPI_Datatype types[2], bare;
  int wrong = 0;
  MPI_Type_create_struct(2, lengths, places, members, &bare);
  MPI_Type_create_resized(bare, 0, sizeof(struct member), &types[0]);
  MPI_Type_vector(MEMBERS, 1, sizeof(struct member) / sizeof(long double), MPI_LONG_DOUBLE, &types[1]);
  for (int t = 0; t < 2; t++) {
    MPI_Type_commit(&types[t]);
    for (int i = 0; i < rounds; i++) {
      memset(out, 0x40 + i, sizeof out);
      memset(in, 0x80 + i, sizeof in);
      for (int k = 0; k < MEMBERS; k++) out[k].value = i + k, out[k].number = k;
      const int count = t == 0 ? MEMBERS : 1;
      MPI_Sendrecv(out, count, types[t], peer, 1, in, count, types[t], peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int k = 0; k < MEMBERS; k++) wrong += in[k].value != out[k].value || (t == 0 && in[k].number != k);
    }
    MPI_Type_free(&types[t]);
  }
  MPI_Type_free(&bare);
  return wrong;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 10;
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &peer);
  peer = 1 - peer;
  const int wrong = columns(rounds) + long_doubles(rounds / 10 + 2);
  MPI_Finalize();
  printf("%d wrong, %ld lost\n", wrong, lost);
  return 0;
}
