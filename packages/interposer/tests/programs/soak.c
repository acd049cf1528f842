/* Messages of random types around a ring: soak MESSAGES TYPES SEED TIMES BLOCK; TIMES is how many times as many
 * elements a message has, BLOCK of how many basic elements side by side types are made: of more than one out of memory
 * of MPI_Alloc_mem. Types are committed and freed as the messages go, freed in mid-message as often as not. Prints a
 * hash of all that was received, on all ranks, and how many messages there were. */
#include "random-type.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { IN_FLIGHT = 4 };

struct flight {
  /* What is sent, if that is not `block`, is its own. */
  unsigned char *sent, *received, *block;
  size_t bytes;
  MPI_Request requests[2];
};

static int rank, ranks;
static uint64_t hash;

/* One of a fixed list of types under a handle of its own, committed. */
static MPI_Datatype some_type(const MPI_Datatype *list, int types) {
  const MPI_Datatype known = list[draw(0, types - 1)];
  MPI_Datatype type;
  if (draw(0, 1) == 0) MPI_Type_dup(known, &type);
  else MPI_Type_contiguous(1, known, &type);
  MPI_Type_commit(&type);
  return type;
}

enum { BLOCK_BYTES = 4 << 20 };

/* One block for all messages of a place, where they fit. */
static unsigned char *memory_of(struct flight *f, size_t bytes) {
  if (basics_side_by_side == 1 || bytes > BLOCK_BYTES) return malloc(bytes);
  if (f->block == NULL) MPI_Alloc_mem(BLOCK_BYTES, MPI_INFO_NULL, &f->block);
  return f->block;
}

static void begin(struct flight *f, MPI_Datatype type, int count) {
  const struct room room = room_of(type, count);
  f->bytes = room.bytes;
  f->sent = memory_of(f, room.bytes);
  f->received = malloc(room.bytes);
  fill(f->sent, room.bytes, (unsigned)(rank + count));
  memset(f->received, 0xa5, room.bytes);
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  MPI_Irecv(f->received + room.origin, count, type, previous, 0, MPI_COMM_WORLD, &f->requests[0]);
  MPI_Isend(f->sent + room.origin, count, type, next, 0, MPI_COMM_WORLD, &f->requests[1]);
}

static void end(struct flight *f) {
  MPI_Status statuses[2];
  MPI_Waitall(2, f->requests, statuses);
  hash = hashed(hash, f->received, f->bytes);
  if (f->sent != f->block) free(f->sent);
  free(f->received);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const long messages = argc > 1 ? atol(argv[1]) : 1000, own = messages / ranks;
  const int types = argc > 2 ? atoi(argv[2]) : 100;
  draws = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  const int times = argc > 4 ? atoi(argv[4]) : 1;
  if (argc > 5) basics_side_by_side = atoi(argv[5]);
  hash = UINT64_C(0xcbf29ce484222325) + (uint64_t)rank;
  MPI_Datatype *list = malloc((size_t)types * sizeof *list);
  for (int i = 0; i < types; i++) list[i] = random_type(3);
  static struct flight flights[IN_FLIGHT];
  for (long done = 0; done < own; done += IN_FLIGHT) {
    for (int i = 0; i < IN_FLIGHT; i++) {
      MPI_Datatype type = some_type(list, types);
      begin(&flights[i], type, times * (draw(0, 19) == 0 ? draw(0, 300) : draw(0, 12)));
      MPI_Type_free(&type);
    }
    for (int i = 0; i < IN_FLIGHT; i++) end(&flights[i]);
  }
  uint64_t total = 0;
  MPI_Reduce(&hash, &total, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%ld messages %016" PRIx64 "\n", (own + IN_FLIGHT - 1) / IN_FLIGHT * IN_FLIGHT * ranks, total);
  MPI_Finalize();
  return 0;
}
