/* Processes that end in the middle of a message past the MPI, on two ranks of which the launcher lets the other go on:
 * past-faults STEP. `packing`: the sender ends while it packs. `taking`: the receiver ends before it takes what it was
 * sent. The other rank prints what it sees, and ends by itself. */
#define _GNU_SOURCE 1
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROWS = 30000, WIDTH = 16, LENGTH = ROWS * 2 * WIDTH, MESSAGES = 30 };

static MPI_Datatype rows;

static void end(int signal) {
  (void)signal;
  kill(getpid(), SIGKILL);
}

static void failed(MPI_Comm *communicator, int *code, ...) {
  int class;
  (void)communicator;
  MPI_Error_class(*code, &class);
  printf("%s\n", class == MPI_ERR_OTHER ? "MPI_ERR_OTHER" : "another error");
  fflush(stdout);
  _exit(0);
}

static void raises(void) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(failed, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
}

/* Its second half cannot be read: the process ends there, by a signal that nothing sees to. */
static void packing(int rank, unsigned char *bytes) {
  if (rank == 0) {
    signal(SIGSEGV, end);
    mprotect(bytes + LENGTH / 8192 * 4096, LENGTH / 2, PROT_NONE);
    MPI_Send(bytes, 1, rows, 1, 0, MPI_COMM_WORLD);
  }
  raises();
  MPI_Recv(bytes, 1, rows, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("a message\n");
}

/* No call that does not wait depends on who is gone, whether or not there is room. */
static void taking(int rank, unsigned char *bytes) {
  MPI_Request requests[MESSAGES];
  if (rank == 1) kill(getpid(), SIGKILL);
  for (int i = 0; i < MESSAGES; i++) MPI_Isend(bytes, 1, rows, 1, 0, MPI_COMM_WORLD, &requests[i]);
  printf("%d sends have begun\n", MESSAGES);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(ROWS, WIDTH, 2 * WIDTH, MPI_BYTE, &rows);
  MPI_Type_commit(&rows);
  unsigned char *bytes = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED) return 2;
  memset(bytes, rank + 1, LENGTH);
  /* One that arrives: the code is there, and each knows the other's memory. */
  if (rank == 0) MPI_Send(bytes, 1, rows, 1, 0, MPI_COMM_WORLD);
  else MPI_Recv(bytes, 1, rows, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1 && strcmp(argv[1], "packing") == 0) packing(rank, bytes);
  else if (argc > 1) taking(rank, bytes);
  else {
    MPI_Finalize();
    return 0;
  }
  fflush(stdout);
  _exit(0);
}
