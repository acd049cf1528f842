// Times, lines of results, and a barrier that MPI does not see: what the experiments of this folder share.
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SAMPLES = 64, MOST_RANKS = 256, GATE_BYTES = (1 << 20) - 4096, T0 = 1, T1 = 2 };

// Memory of all ranks, in a file that whoever starts them has made of zeros.
typedef struct {
  _Atomic int arrived, round;
  _Atomic int flags[MOST_RANKS];
  char bytes[GATE_BYTES];
} Gate;

static int rank, size, quick;
static Gate *gate;

static inline double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// A processor may be shared by several ranks: who waits long lets others have it.
static inline void pause_at(int turn) {
  if (turn > 20000) nanosleep(&(struct timespec){0, 50000}, NULL);
  else if (turn > 2000) sched_yield();
}

// The low-level barrier of the paper: no progress of MPI, no message.
static inline void gate_barrier(void) {
  int round = atomic_load(&gate->round);
  if (atomic_fetch_add(&gate->arrived, 1) == size - 1) {
    atomic_store(&gate->arrived, 0);
    atomic_store(&gate->round, round + 1);
  } else
    for (int turn = 0; atomic_load(&gate->round) == round; turn++) pause_at(turn);
}

static inline void gate_set(int flag, int value) {
  atomic_store_explicit(&gate->flags[flag], value, memory_order_release);
}

static inline void gate_wait(int flag, int value) {
  for (int turn = 0; atomic_load_explicit(&gate->flags[flag], memory_order_acquire) < value; turn++) pause_at(turn);
}

// PROGRAM GATE quick|full ...
static void open_gate(char **argv) {
  int file = open(argv[1], O_RDWR);
  gate = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(Gate), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (gate == MAP_FAILED) {
    fprintf(stderr, "gate: expected a file of %zu bytes that all ranks see, got %s\n", sizeof(Gate), argv[1]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  quick = strcmp(argv[2], "quick") == 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// One line of JSON, at once: what was measured outlives an interruption.
static void point(const char *panel, const char *series, double x, double *times, int samples) {
  if (rank != 0) return;
  qsort(times, (size_t)samples, sizeof(double), ascending);
  printf("{\"panel\":\"%s\",\"series\":\"%s\",\"x\":%.0f,\"medianNs\":%.2f,\"minNs\":%.2f,\"maxNs\":%.2f,\"samples\":%"
         "d}\n",
         panel, series, x, times[samples / 2], times[0], times[samples - 1], samples);
  fflush(stdout);
}

static inline int samples_of(void) { return quick ? 7 : 21; }
static inline int turns_of(int bytes) {
  return (bytes > 262144 ? 4 : bytes > 65536 ? 20 : bytes > 4096 ? 100 : 400) / (quick ? 2 : 1);
}

// Whether this MPI does now. No message is sent, so that one that does not look does no harm.
static inline int looks_at_arguments(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  return MPI_Send(NULL, -1, MPI_BYTE, MPI_PROC_NULL, T0, MPI_COMM_WORLD) != MPI_SUCCESS;
}
