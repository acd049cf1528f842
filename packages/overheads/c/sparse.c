// Section 3.10: MPI_Alltoallv in which nobody sends anything, neighbours of a graph who send nothing, and the four
// loops of the paper over as many counts as the paper has ranks: no message is sent, so that one process can run each
// loop at any size.
#include "measure.h"
#include <stdint.h>

enum { MOST_COUNTS = 131072, LOOPS = 4, FIRST_TURNS = 20, SAMPLE_NS = 50000000 };
static int counts[MOST_COUNTS] __attribute__((aligned(8)));
static int sent;

static __attribute__((noinline)) void send_data(int destination) { sent += destination; }

// What a library looks at before it begins: counts are not negative, and displacements of what is sent are inside.
static __attribute__((noinline)) int check(const int *list, int ranks) {
  for (int i = 0; i < ranks; i++) {
    if (list[i] < 0) return 0;
    __asm__ volatile("" ::: "memory"); // one at a time, as a library looks at several arrays at once
  }
  return 1;
}

static __attribute__((noinline)) void no_checks(const int *list, int ranks, int self) {
  for (int i = 0; i < ranks; i++) {
    int destination = (self + i) % ranks;
    if (list[destination] != 0) send_data(destination);
  }
}

static void original(const int *list, int ranks, int self) {
  if (check(list, ranks)) no_checks(list, ranks, self);
}

static __attribute__((noinline)) void no_modulo(const int *list, int ranks, int self) {
  for (int i = self; i < ranks; i++)
    if (list[i] != 0) send_data(i);
  for (int i = 0; i < self; i++)
    if (list[i] != 0) send_data(i);
}

// Two counts in one register; the ends that are no pair alone.
static void two_between(const int *list, int first, int end) {
  int i = first;
  for (; i < end && i % 2 != 0; i++)
    if (list[i] != 0) send_data(i);
  for (; i + 1 < end; i += 2) {
    uint64_t both;
    memcpy(&both, list + i, sizeof both);
    if (both == 0) continue;
    if (list[i] != 0) send_data(i);
    if (list[i + 1] != 0) send_data(i + 1);
  }
  for (; i < end; i++)
    if (list[i] != 0) send_data(i);
}

static __attribute__((noinline)) void two_at_a_time(const int *list, int ranks, int self) {
  two_between(list, self, ranks);
  two_between(list, 0, self);
}

static void loops(int ranks) {
  static void (*const kinds[LOOPS])(const int *, int, int) = {original, no_checks, no_modulo, two_at_a_time};
  static const char *series[LOOPS] = {"original", "no error checks", "no modulo", "two at a time"};
  double times[LOOPS][MOST_SAMPLES];
  int turns = 1 + 200000 / ranks;
  for (int i = -1; i < samples_of(); i++)
    for (int kind = 0; kind < LOOPS; kind++) {
      double start = now_ns();
      for (int turn = 0; turn < turns; turn++) kinds[kind](counts, ranks, (turn * 37) % ranks);
      if (i >= 0) times[kind][i] = (now_ns() - start) / turns;
    }
  for (int kind = 0; kind < LOOPS; kind++) point("loop", series[kind], ranks, times[kind], samples_of());
}

static char out, in; // MPICH wants two buffers, also of nothing
static int *none;

static void dense(MPI_Comm comm) { MPI_Alltoallv(&out, none, none, MPI_BYTE, &in, none, none, MPI_BYTE, comm); }
static void neighbours(MPI_Comm comm) {
  MPI_Neighbor_alltoallv(&out, none, none, MPI_BYTE, &in, none, none, MPI_BYTE, comm);
}

// As many for all ranks as take no longer than one sample may: ranks that share a core exchange by time slices.
static int turns_within(double each) {
  int turns = quick ? 100 : 400;
  if (each * turns > SAMPLE_NS) turns = 1 + (int)(SAMPLE_NS / each);
  MPI_Bcast(&turns, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return turns;
}

static void exchange(const char *series, void (*call)(MPI_Comm), MPI_Comm comm) {
  double times[MOST_SAMPLES];
  int turns = FIRST_TURNS;
  for (int i = -1; i < samples_of(); i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now_ns();
    for (int turn = 0; turn < turns; turn++) call(comm);
    double each = (now_ns() - start) / turns;
    if (i >= 0) times[i] = each;
    else turns = turns_within(each);
  }
  point("alltoallv", series, size, times, samples_of());
}

// Each rank sends nothing to the next of a ring: messages, where counts of 0 for all ranks are none.
static void ring(void) {
  int before = (rank + size - 1) % size, next = (rank + 1) % size, weight = 1;
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, &weight, 1, &next, &weight, MPI_INFO_NULL, 0, &graph);
  exchange("MPI, neighbours", neighbours, graph);
  MPI_Comm_free(&graph);
}

// PROGRAM GATE quick|full checked|unchecked
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  int checked = strcmp(argv[3], "checked") == 0, looks = looks_at_arguments();
  none = calloc((size_t)size, sizeof(int));
  if (looks == checked) exchange(looks ? "MPI" : "MPI, no error checks", dense, MPI_COMM_WORLD);
  if (checked) ring();
  for (int ranks = 32; rank == 0 && checked && ranks <= MOST_COUNTS; ranks *= quick ? 8 : 2) loops(ranks);
  gate_barrier();
  MPI_Finalize();
  return 0;
}
