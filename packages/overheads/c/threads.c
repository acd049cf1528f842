// Section 3.8: messages of no bytes to MPI_PROC_NULL, from 1 to 4 threads of a process or from 1 to 4 processes.
// PROGRAM GATE quick|full threads|processes
#include "measure.h"
#include <math.h>
#include <pthread.h>

enum { MOST_THREADS = 4 };
typedef struct {
  double begin, end;
} Span;
static int messages;
static pthread_barrier_t all;

static void send_many(void) {
  for (int i = 0; i < messages; i++) MPI_Send(NULL, 0, MPI_BYTE, MPI_PROC_NULL, T0, MPI_COMM_WORLD);
}

static void *thread(void *argument) {
  Span *span = argument;
  pthread_barrier_wait(&all);
  span->begin = now_ns();
  send_many();
  span->end = now_ns();
  return NULL;
}

// Nanoseconds from the first thread's first message to the last one's last, divided by all messages.
static double by_threads(int threads) {
  pthread_t handles[MOST_THREADS];
  Span spans[MOST_THREADS];
  double begin = INFINITY, end = 0;
  pthread_barrier_init(&all, NULL, (unsigned)threads);
  for (int i = 0; i < threads; i++) pthread_create(&handles[i], NULL, thread, &spans[i]);
  for (int i = 0; i < threads; i++) {
    pthread_join(handles[i], NULL);
    begin = fmin(begin, spans[i].begin);
    end = fmax(end, spans[i].end);
  }
  pthread_barrier_destroy(&all);
  return (end - begin) / messages / threads;
}

static double by_processes(int processes) {
  Span *spans = (Span *)gate->bytes; // one clock for all processes of a node
  double begin = INFINITY, end = 0;
  gate_barrier();
  spans[rank].begin = now_ns();
  if (rank < processes) send_many();
  spans[rank].end = now_ns();
  gate_barrier();
  for (int i = 0; i < processes; i++) {
    begin = fmin(begin, spans[i].begin);
    end = fmax(end, spans[i].end);
  }
  return (end - begin) / messages / processes;
}

static void measure(const char *series, double (*time_of)(int), int workers) {
  double times[MOST_SAMPLES];
  time_of(workers);
  for (int i = 0; i < samples_of(); i++) times[i] = time_of(workers);
  point("message", series, workers, times, samples_of());
}

int main(int argc, char **argv) {
  int is_threads = strcmp(argv[3], "threads") == 0, provided;
  MPI_Init_thread(&argc, &argv, is_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  open_gate(argv);
  messages = quick ? 20000 : 100000;
  if (is_threads && provided < MPI_THREAD_MULTIPLE) fprintf(stderr, "MPI_THREAD_MULTIPLE: expected it, got less\n");
  else if (is_threads)
    for (int threads = 1; threads <= MOST_THREADS; threads++) measure("threads", by_threads, threads);
  else
    for (int processes = 1; processes <= size && processes <= MOST_THREADS; processes++)
      measure("processes", by_processes, processes);
  MPI_Finalize();
  return 0;
}
