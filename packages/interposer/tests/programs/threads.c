/* Two threads of each rank commit, send, receive and free datatypes at once, under MPI_THREAD_MULTIPLE: threads ROUNDS.
 * Prints a hash of all that was received. */
#include "random-type.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 2, TYPES = 64 };

static int rank, ranks, rounds;
static MPI_Datatype types[TYPES];

struct work {
  MPI_Comm communicator;
  int number;
  uint64_t hash;
};

static void exchange(struct work *work, int round) {
  MPI_Datatype type;
  MPI_Type_dup(types[(round * 7 + work->number * 3) % TYPES], &type);
  MPI_Type_commit(&type);
  const int count = 1 + round % 40;
  const struct room room = room_of(type, count);
  unsigned char *sent = malloc(room.bytes), *received = malloc(room.bytes);
  fill(sent, room.bytes, (unsigned)(rank + work->number));
  memset(received, 0x5a, room.bytes);
  MPI_Sendrecv(sent + room.origin, count, type, (rank + 1) % ranks, 1, received + room.origin, count, type,
               (rank + ranks - 1) % ranks, 1, work->communicator, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  work->hash = hashed(work->hash, received, room.bytes);
  free(sent);
  free(received);
}

static void *run(void *context) {
  struct work *work = context;
  for (int round = 0; round < rounds; round++) exchange(work, round);
  return NULL;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  rounds = argc > 1 ? atoi(argv[1]) : 1000;
  draws = 11;
  for (int i = 0; i < TYPES; i++) types[i] = random_type(2);
  struct work works[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    works[i] = (struct work){.number = i, .hash = (uint64_t)rank};
    MPI_Comm_dup(MPI_COMM_WORLD, &works[i].communicator);
  }
  for (int i = 0; i < THREADS; i++) {
    if (provided == MPI_THREAD_MULTIPLE) pthread_create(&threads[i], NULL, run, &works[i]);
    else run(&works[i]);
  }
  uint64_t mine = 0, all = 0;
  for (int i = 0; i < THREADS; i++) {
    if (provided == MPI_THREAD_MULTIPLE) pthread_join(threads[i], NULL);
    mine ^= works[i].hash * (uint64_t)(2 * i + 3);
  }
  MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s %016" PRIx64 "\n", provided == MPI_THREAD_MULTIPLE ? "multiple" : "fewer", all);
  MPI_Finalize();
  return 0;
}
