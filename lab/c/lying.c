/* Messages between two ranks, natively, past the MPI packed, and past it read where their elements lie: lying RUN TOTAL
 * SAMPLES there|both. TOTAL bytes in runs of RUN bytes with gaps as long are sent there and back, or by both ranks at
 * once what they have just written, out of memory of malloc, and of MPI_Alloc_mem. In each sample the ways take turns;
 * rank 0 prints a line of JSON: each way's nanoseconds, of a message or of an exchange, and whether the bytes arrived.
 */
#define _GNU_SOURCE 1
#include "samples.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { NATIVE, PACKED, LYING, WAYS, MOST_SAMPLES = 64, SAMPLE_NS = 1000000, LINE = 64, WARM = 20 };

static const char *const NAMES[WAYS] = {"native", "packed past it", "read where they lie"};
static int (*pause_ours)(int);
static int rank, wrong[WAYS];
static long run, total;
static MPI_Datatype type;
static unsigned char *sent[WAYS], *received[WAYS];

static unsigned char byte_of(long at, int from, int turn) { return (unsigned char)(at * 131 + from * 17 + turn); }

/* As a program does that has new elements to send each time: a byte of each line of them. */
static void write_elements(unsigned char *layout, int turn) {
  for (long at = 0; at < total; at += LINE) layout[at + at / run * run] = byte_of(at, rank, turn);
}

static int has_elements(const unsigned char *layout, int from, int turn) {
  int right = 1;
  for (long at = 0; at < total; at += LINE) right &= layout[at + at / run * run] == byte_of(at, from, turn);
  return right;
}

static void exchange(int way) {
  MPI_Request requests[2];
  MPI_Irecv(received[way], 1, type, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(sent[way], 1, type, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static double exchange_apart(int way, int turn) {
  write_elements(sent[way], turn);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = now_ns();
  exchange(way);
  const double ns = now_ns() - start;
  wrong[way] |= !has_elements(received[way], 1 - rank, turn);
  return ns;
}

/* What came goes back. */
static double there_and_back(int way, int turn) {
  if (rank == 0) write_elements(sent[way], turn);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = now_ns();
  if (rank == 0) MPI_Send(sent[way], 1, type, 1, 0, MPI_COMM_WORLD);
  MPI_Recv(rank == 0 ? received[way] : sent[way], 1, type, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(sent[way], 1, type, 0, 0, MPI_COMM_WORLD);
  const double ns = (now_ns() - start) / 2;
  wrong[way] |= !has_elements(rank == 0 ? received[way] : sent[way], 0, turn);
  return ns;
}

static double sample(int way, int count, double (*turn)(int, int)) {
  double ns = 0;
  if (pause_ours != NULL) pause_ours(way == NATIVE);
  for (int i = 0; i < count; i++) ns += turn(way, i);
  return ns / count;
}

static unsigned char *layout_of(int way) {
  void *memory = NULL;
  if (way == LYING) MPI_Alloc_mem(2 * total, MPI_INFO_NULL, &memory);
  else memory = malloc((size_t)(2 * total));
  return memset(memory, 1, (size_t)(2 * total));
}

/* Code has come by then, and either process has the other's memory. */
static int messages_of_a_sample(double (*turn)(int, int)) {
  const double ns = sample(NATIVE, WARM, turn);
  int count = (int)(SAMPLE_NS / ns) + 1;
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < WARM; i++)
    for (int way = 0; way < WAYS; way++) sample(way, 1, turn);
  return count;
}

int main(int argc, char **argv) {
  static double ns[WAYS][MOST_SAMPLES];
  int all_wrong[WAYS];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  run = atol(argv[1]);
  total = atol(argv[2]);
  const int samples = atoi(argv[3]);
  double (*turn)(int, int) = strcmp(argv[4], "both") == 0 ? exchange_apart : there_and_back;
  pause_ours = (int (*)(int))dlsym(RTLD_DEFAULT, "stowage_interposer_pause");
  MPI_Type_vector((int)(total / run), (int)run, (int)(2 * run), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  for (int way = 0; way < WAYS; way++) {
    sent[way] = layout_of(way);
    received[way] = layout_of(way == LYING ? PACKED : way);
  }
  const int count = messages_of_a_sample(turn);
  for (int i = 0; i < samples; i++)
    for (int way = 0; way < WAYS; way++) ns[(way + i) % WAYS][i] = sample((way + i) % WAYS, count, turn);
  MPI_Reduce(wrong, all_wrong, WAYS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int way = 0; way < WAYS && rank == 0; way++) {
    printf("%s\"%s\":{\"verified\":%s,\"ns\":[", way == 0 ? "{" : ",", NAMES[way], all_wrong[way] ? "false" : "true");
    for (int i = 0; i < samples; i++) printf("%s%.0f", i == 0 ? "" : ",", ns[way][i]);
    printf("]}");
  }
  if (rank == 0) printf("}\n");
  MPI_Free_mem(sent[LYING]);
  MPI_Finalize();
  return 0;
}
