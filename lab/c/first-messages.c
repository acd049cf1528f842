/* The first messages of a process: first-messages COUNT FILE. Two ranks commit the described type, and send elements of
 * it there and back, each message out of memory of its own that nothing was sent from before. Rank 0 prints the
 * nanoseconds of each there and back, halved, as a line of JSON; ends with 1 where one came back as it was not sent. */
#include "described-type.h"

enum { MESSAGES = 64 };

struct buffers {
  unsigned char *sent, *received;
};

static int rank, count;
static MPI_Datatype type;
static struct reach reach;

static struct buffers buffers_of(int message) {
  const struct buffers b = {malloc(reach.bytes), calloc(1, reach.bytes)};
  for (size_t i = 0; i < reach.bytes; i++) b.sent[i] = (unsigned char)(i * 131 + (size_t)message * 29);
  return b;
}

static void there_and_back(const struct buffers *b) {
  void *received = b->received + reach.origin;
  if (rank == 0) {
    MPI_Send(b->sent + reach.origin, count, type, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(received, count, type, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(received, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(received, count, type, 0, 0, MPI_COMM_WORLD);
  }
}

static unsigned char *packed(unsigned char *memory, int bytes) {
  unsigned char *to = malloc((size_t)bytes);
  int at = 0;
  MPI_Pack(memory + reach.origin, count, type, to, bytes, &at, MPI_COMM_SELF);
  return to;
}

static int is_as_sent(const struct buffers *b) {
  int bytes;
  MPI_Pack_size(count, type, MPI_COMM_SELF, &bytes);
  unsigned char *sent = packed(b->sent, bytes), *received = packed(b->received, bytes);
  MPI_Type_size(type, &bytes);
  const int is = memcmp(sent, received, (size_t)bytes * (size_t)count) == 0;
  free(sent);
  free(received);
  return is;
}

int main(int argc, char **argv) {
  struct buffers all[MESSAGES];
  double ns[MESSAGES];
  int wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  count = atoi(argv[1]);
  type = type_in(argv[2]);
  reach = reach_of(type, count);
  for (int i = 0; i < MESSAGES; i++) all[i] = buffers_of(i);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < MESSAGES; i++) {
    const double start = MPI_Wtime();
    there_and_back(&all[i]);
    ns[i] = (MPI_Wtime() - start) * 1e9 / 2;
  }
  for (int i = 0; i < MESSAGES && rank == 0; i++) wrong += !is_as_sent(&all[i]);
  for (int i = 0; i < MESSAGES && rank == 0; i++) printf("%s%.0f", i == 0 ? "{\"ns\":[" : ",", ns[i]);
  if (rank == 0) printf("]}\n");
  MPI_Finalize();
  return wrong != 0;
}
