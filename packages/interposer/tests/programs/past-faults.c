/* Processes that are killed at each step of a message past the MPI, on two ranks: past-faults WHO STEP [lying]. WHO is
 * `sender` or `receiver`; STEP is `offer`: before the message is offered; `take`: when it is offered and not yet taken;
 * `move`: while it packs, or unpacks; `end`: when the message has arrived. The other rank prints what it sees, and ends
 * by itself. Elements of `lying` are in memory of MPI_Alloc_mem, to be read there. */
#define _GNU_SOURCE 1
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, BYTES = 480000, WIDTH = 16, LYING_WIDTH = 4000, LENGTH = 2 * BYTES, MESSAGES = 30 };

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

/* Its second half can be neither read nor written: the process ends there, by a signal that nothing sees to. */
static void ends_in_the_middle(unsigned char *bytes) {
  signal(SIGSEGV, end);
  mprotect((void *)((uintptr_t)(bytes + LENGTH / 2) & -(uintptr_t)PAGE), LENGTH / 2, PROT_NONE);
}

static unsigned char *memory_of(int is_lying) {
  unsigned char *bytes = NULL;
  if (is_lying) MPI_Alloc_mem(LENGTH, MPI_INFO_NULL, &bytes);
  else bytes = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return bytes == MAP_FAILED ? NULL : bytes;
}

/* The message has been offered. */
static void await_offer(void) {
  for (int is_there = 0; !is_there;) MPI_Iprobe(0, 0, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

enum { MEANWHILE_US = 200 * 1000 };

static void sender_ends(int rank, const char *step, unsigned char *bytes) {
  MPI_Request request;
  if (rank == 0) {
    if (strcmp(step, "offer") == 0) end(0);
    if (strcmp(step, "move") == 0) ends_in_the_middle(bytes);
    MPI_Isend(bytes, 1, rows, 1, 0, MPI_COMM_WORLD, &request);
    if (strcmp(step, "take") == 0) end(0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end(0);
  }
  if (strcmp(step, "take") == 0) {
    await_offer();
    usleep(MEANWHILE_US);
  }
  raises();
  MPI_Recv(bytes, 1, rows, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("a message\n");
}

/* No call that does not wait depends on who is gone, whether or not there is room. */
static void receiver_ends(int rank, const char *step, unsigned char *bytes) {
  MPI_Request requests[MESSAGES];
  if (rank == 1) {
    if (strcmp(step, "offer") == 0) end(0);
    if (strcmp(step, "move") == 0) ends_in_the_middle(bytes);
    await_offer();
    if (strcmp(step, "take") == 0) end(0);
    MPI_Recv(bytes, 1, rows, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    end(0);
  }
  for (int i = 0; i < MESSAGES; i++) MPI_Isend(bytes, 1, rows, 1, 0, MPI_COMM_WORLD, &requests[i]);
  printf("%d sends have begun\n", MESSAGES);
  fflush(stdout);
  if (strcmp(step, "offer") != 0) MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  const int is_lying = strcmp(argv[argc - 1], "lying") == 0, width = is_lying ? LYING_WIDTH : WIDTH;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(BYTES / width, width, 2 * width, MPI_BYTE, &rows);
  MPI_Type_commit(&rows);
  unsigned char *bytes = memory_of(is_lying);
  if (bytes == NULL) return 2;
  memset(bytes, rank + 1, LENGTH);
  /* One that arrives: the code is there, and each knows the other's memory, which it has behind its MPI_Init. */
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(bytes, 1, rows, 1, 0, MPI_COMM_WORLD);
  else MPI_Recv(bytes, 1, rows, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 2 && strcmp(argv[1], "sender") == 0) sender_ends(rank, argv[2], bytes);
  else if (argc > 2) receiver_ends(rank, argv[2], bytes);
  else {
    MPI_Finalize();
    return 0;
  }
  fflush(stdout);
  _exit(0);
}
