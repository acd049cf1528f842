// The cells of against-checkout.mjs in C: against-checkout BUDGET_MS KIND BYTES BLOCK_BYTES MESSAGES COUNT ... (five
// words a cell; BLOCK_BYTES of 0: side by side). Writes a line a cell, as against-checkout-ranks.mjs does.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_TURNS = 300, MOST_MESSAGES = 64, MOST_RANKS = 64 };
static const double SAMPLE_MS = 2;

static int rank, size, next, before;
static enum { PING_PONG, WAIT_ALL, PERSISTENT, BCAST, ALLREDUCE, ALLTOALLV, ALLTOALLW } kind;
static int bytes, blockBytes, messages, count;
static char *out[MOST_MESSAGES], *in[MOST_MESSAGES];
static MPI_Datatype type, types[MOST_RANKS];
static int typeCount;
static MPI_Request requests[2 * MOST_MESSAGES];
static int counts[MOST_RANKS], displacements[MOST_RANKS];

static int kindOf(const char *name) {
  static const char *const names[] = {"ping-pong", "isend, waitAll", "persistent", "bcast", "allreduce", "alltoallv"};
  int i = 0;
  while (i < ALLTOALLW && strcmp(name, names[i]) != 0) i++;
  return i;
}

static void turn(void) {
  switch (kind) {
  case PING_PONG:
    if (size == 1) {
      MPI_Irecv(in[0], typeCount, type, 0, 0, MPI_COMM_WORLD, requests);
      MPI_Send(out[0], typeCount, type, 0, 0, MPI_COMM_WORLD);
      MPI_Wait(requests, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
      MPI_Send(out[0], typeCount, type, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(in[0], typeCount, type, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(in[0], typeCount, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(out[0], typeCount, type, 0, 0, MPI_COMM_WORLD);
    }
    return;
  case WAIT_ALL:
    for (int i = 0; i < messages; i++) MPI_Irecv(in[i], typeCount, type, before, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < messages; i++)
      MPI_Isend(out[i], typeCount, type, next, i, MPI_COMM_WORLD, &requests[messages + i]);
    MPI_Waitall(2 * messages, requests, MPI_STATUSES_IGNORE);
    return;
  case PERSISTENT:
    MPI_Startall(2 * messages, requests);
    MPI_Waitall(2 * messages, requests, MPI_STATUSES_IGNORE);
    return;
  case BCAST: MPI_Bcast(in[0], typeCount, type, 0, MPI_COMM_WORLD); return;
  case ALLREDUCE: MPI_Allreduce(out[0], in[0], bytes / 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD); return;
  case ALLTOALLV:
    MPI_Alltoallv(out[0], counts, displacements, type, in[0], counts, displacements, type, MPI_COMM_WORLD);
    return;
  case ALLTOALLW:
    MPI_Alltoallw(out[0], counts, displacements, types, in[0], counts, displacements, types, MPI_COMM_WORLD);
  }
}

static double timed(int turns) {
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int i = 0; i < turns; i++) turn();
  return (MPI_Wtime() - start) * 1e3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void open(void) {
  int span = (blockBytes ? 2 : 1) * bytes * size;
  for (int i = 0; i < messages; i++) {
    out[i] = memset(malloc(span), rank + 1, span);
    in[i] = memset(malloc(span), 0, span);
  }
  if (blockBytes) {
    MPI_Datatype blocks;
    MPI_Type_vector(bytes / blockBytes, blockBytes / 8, 2 * blockBytes / 8, MPI_DOUBLE, &blocks);
    MPI_Type_create_resized(blocks, 0, 2 * bytes, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&blocks);
    typeCount = 1;
  } else {
    type = MPI_BYTE;
    typeCount = bytes;
  }
  for (int i = 0; i < size; i++) {
    counts[i] = count * typeCount;
    displacements[i] = i * (kind == ALLTOALLW ? (blockBytes ? 2 : 1) * bytes : typeCount);
    types[i] = type;
  }
  if (kind != PERSISTENT) return;
  for (int i = 0; i < messages; i++) {
    MPI_Recv_init(in[i], typeCount, type, before, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Send_init(out[i], typeCount, type, next, i, MPI_COMM_WORLD, &requests[messages + i]);
  }
}

static void end(void) {
  if (kind == PERSISTENT)
    for (int i = 0; i < 2 * messages; i++) MPI_Request_free(&requests[i]);
  if (blockBytes) MPI_Type_free(&type);
  for (int i = 0; i < messages; i++) {
    free(out[i]);
    free(in[i]);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  double budgetMs = atof(argv[1]);
  for (int at = 2; at + 4 < argc; at += 5) {
    kind = kindOf(argv[at]);
    bytes = atoi(argv[at + 1]);
    blockBytes = atoi(argv[at + 2]);
    messages = atoi(argv[at + 3]);
    count = atoi(argv[at + 4]);
    open();
    timed(WARM_TURNS);
    double turnMs = timed(20) / 20;
    MPI_Bcast(&turnMs, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    int turns = SAMPLE_MS / turnMs < 1 ? 1 : (int)(SAMPLE_MS / turnMs);
    int samples = 1 + (int)(budgetMs / (turns * turnMs));
    double *times = malloc(samples * sizeof(double));
    for (int i = 0; i < samples; i++) times[i] = timed(turns) / turns * 1e6;
    qsort(times, samples, sizeof(double), ascending);
    if (rank == 0)
      printf("{\"medianNs\":%.1f,\"minNs\":%.1f,\"maxNs\":%.1f,\"runs\":%d}\n", times[samples / 2], times[0],
             times[samples - 1], samples);
    free(times);
    end();
  }
  MPI_Finalize();
  return 0;
}
