/* What may go wrong between the memories of two processes' devices: peer-faults CASE [FILE], two ranks. Rank 0 sends
 * and rank 1 receives; prints what became of either, whether the last message went from GPU memory to GPU memory, and
 * how many bytes are wrong. */
#define _GNU_SOURCE 1
#include "cuda.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT = 256, BYTES = 8 * COUNT, WARM = 3 };

static int rank, salt;
static unsigned char bytes[BYTES], got[BYTES];
/* The stand-in's, for tests. */
static unsigned (*peer_reads)(void);
static void (*lose_flags)(int);

static void *pointer(uint64_t address) { return (void *)(uintptr_t)address; }

static void *new_context(void) {
  void *context = NULL;
  if (cuCtxCreate_v2(&context, 0, 0) != 0) exit(2);
  return context;
}

static uint64_t device(void) {
  uint64_t address = 0;
  return cuMemAlloc_v2(&address, BYTES) == 0 ? address : 0;
}

static uint64_t managed(void) {
  uint64_t address = 0;
  return cuMemAllocManaged(&address, BYTES, 1) == 0 ? address : 0;
}

static uint64_t pooled(void) {
  uint64_t address = 0;
  return cuMemAllocAsync(&address, BYTES, NULL) == 0 ? address : 0;
}

static const char *name_of(int status) {
  int class = MPI_SUCCESS;
  MPI_Error_class(status, &class);
  return class == MPI_SUCCESS      ? "well"
         : class == MPI_ERR_BUFFER ? "buffer"
         : class == MPI_ERR_OTHER  ? "other"
                                   : "another class";
}

static void fill(void) {
  salt++;
  for (int i = 0; i < BYTES; i++) bytes[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + salt);
}

static int wrong_bytes(void) {
  int wrong = 0;
  for (int i = 0; i < BYTES; i++) wrong += got[i] != bytes[i];
  return wrong;
}

/* What both saw; `reads` of the receiver's stand-in before the message. */
static void tell(const char *what, int status, unsigned reads, int wrong) {
  enum { CLASS, IS_IPC, WRONG, FACTS };
  int own[FACTS] = {0, peer_reads() > reads, wrong}, all[2 * FACTS];
  MPI_Error_class(status, &own[CLASS]);
  MPI_Gather(own, FACTS, MPI_INT, all, FACTS, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  const int *receiver = all + FACTS;
  printf("%s: sender %s, receiver %s, by %s, %d bytes wrong\n", what, name_of(all[CLASS]), name_of(receiver[CLASS]),
         receiver[IS_IPC] ? "ipc" : "host", receiver[WRONG]);
  fflush(stdout);
}

/* One message from there to there. */
static void message(const char *what, uint64_t from, uint64_t to) {
  int status, wrong = 0;
  const unsigned reads = peer_reads();
  fill();
  if (rank == 0) {
    cuMemcpyHtoD_v2(from, bytes, BYTES);
    status = MPI_Send(pointer(from), COUNT, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  } else {
    status = MPI_Recv(pointer(to), COUNT, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cuMemcpyDtoH_v2(got, to, BYTES);
    wrong = status == MPI_SUCCESS ? wrong_bytes() : 0;
  }
  if (what != NULL) tell(what, status, reads, wrong);
}

static void warm(uint64_t from, uint64_t to) {
  for (int i = 0; i < WARM; i++) message(NULL, from, to);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* The receiver's memory, or all of its context, goes while the message is under way. */
static void lost_receiver(int destroys) {
  void *context = new_context();
  const uint64_t own = device();
  MPI_Request request;
  int status = MPI_SUCCESS;
  warm(own, own);
  const unsigned reads = peer_reads();
  if (rank == 1) MPI_Irecv(pointer(own), COUNT, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) status = MPI_Send(pointer(own), COUNT, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    if (destroys) cuCtxDestroy_v2(context), new_context();
    else cuMemFree_v2(own);
    status = MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  tell("lost", status, reads, 0);
  message("then", own, rank == 1 ? device() : 0);
}

/* The sender is done with a message, and its context goes before anybody has read it. */
static void lost_sender(void) {
  void *context = new_context();
  const uint64_t own = device();
  int status = MPI_SUCCESS, wrong = 0;
  warm(own, own);
  const unsigned reads = peer_reads();
  fill();
  if (rank == 0) {
    cuMemcpyHtoD_v2(own, bytes, BYTES);
    status = MPI_Send(pointer(own), COUNT, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    cuCtxDestroy_v2(context);
    new_context();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    status = MPI_Recv(pointer(own), COUNT, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cuMemcpyDtoH_v2(got, own, BYTES);
    wrong = wrong_bytes();
  }
  tell("lost", status, reads, wrong);
  message("then", rank == 0 ? device() : 0, own);
}

/* A persistent send whose memory is freed before it is started again. */
static void lost_kept(void) {
  new_context();
  const uint64_t own = device();
  MPI_Request request;
  int status = MPI_SUCCESS;
  warm(own, own);
  const unsigned reads = peer_reads();
  if (rank == 0) {
    MPI_Send_init(pointer(own), COUNT, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cuMemFree_v2(own);
    status = MPI_Start(&request);
    MPI_Request_free(&request);
  } else {
    status = MPI_Recv(pointer(own), COUNT, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  tell("lost", status, reads, 0);
  message("then", rank == 0 ? device() : 0, own);
}

/* The device fails between the envelope and the packing; with `ends` its process is over then. */
static void failed_packing(int ends) {
  new_context();
  const uint64_t own = device();
  int status;
  MPI_Request request;
  warm(own, own);
  const unsigned reads = peer_reads();
  if (rank == 0) {
    lose_flags(1);
    status = MPI_Isend(pointer(own), COUNT, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, &request);
    if (ends) _exit(0);
    status = MPI_Wait(&request, MPI_STATUS_IGNORE);
    lose_flags(0);
  } else {
    status = MPI_Recv(pointer(own), COUNT, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (ends) {
    printf("receiver %s\n", name_of(status)), fflush(stdout);
    _exit(0);
  }
  tell("failed", status, reads, 0);
  message("then", own, own);
}

/* What the arena's context is not sends through host memory. */
static void contexts(void) {
  void *popped;
  new_context();
  const uint64_t first = device();
  warm(first, first);
  message("first", first, first);
  new_context();
  const uint64_t second = device();
  message("second", second, second);
  cuCtxPopCurrent_v2(&popped);
  cuCtxPopCurrent_v2(&popped);
  message("none", first, second);
}

static void of(uint64_t (*allocate)(void)) {
  new_context();
  const uint64_t own = allocate();
  warm(own, own);
  message("plain", own, own);
}

static void pageable(void) {
  new_context();
  const uint64_t own = device();
  int status, wrong = 0;
  warm(own, own);
  const unsigned reads = peer_reads();
  fill();
  if (rank == 0) {
    cuMemcpyHtoD_v2(own, bytes, BYTES);
    status = MPI_Send(pointer(own), COUNT, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  } else {
    status = MPI_Recv(got, COUNT, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    wrong = wrong_bytes();
  }
  tell("onto the host", status, reads, wrong);
  message("then", own, own);
}

/* The sender makes no call of the MPI until the receiver has its message. */
static void idle(const char *path) {
  new_context();
  const uint64_t own = device();
  MPI_Request request;
  int status;
  warm(own, own);
  const unsigned reads = peer_reads();
  if (rank == 0) {
    MPI_Isend(pointer(own), COUNT, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, &request);
    while (access(path, F_OK) != 0) usleep(1000);
    status = MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    status = MPI_Recv(pointer(own), COUNT, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    FILE *file = fopen(path, "w");
    if (file == NULL || fclose(file) != 0) exit(5);
  }
  tell("idle", status, reads, 0);
}

/* How many launches messages take that begin one behind the other. Every other one is so short that the MPI is done
 * with it at once, under a handle that all such sends share. */
static void together(void) {
  enum { MESSAGES = 12, ROWS = 200 };
  unsigned (*launches)(void) = NULL;
  MPI_Request requests[MESSAGES];
  MPI_Datatype column, corner;
  uint64_t memory[MESSAGES];
  *(void **)(void *)&launches = dlsym(RTLD_DEFAULT, "standin_launches");
  MPI_Type_vector(ROWS, 1, 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &corner);
  MPI_Type_commit(&corner);
  new_context();
  for (int i = 0; i < MESSAGES; i++)
    if (cuMemAlloc_v2(&memory[i], 16 * ROWS) != 0) exit(3);
  warm(memory[0], memory[0]);
  unsigned before = launches(), counts[2];
  for (int i = 0; i < MESSAGES; i++) {
    const MPI_Datatype type = i % 2 ? corner : column;
    if (rank == 0) MPI_Isend(pointer(memory[i]), 1, type, 1, i, MPI_COMM_WORLD, &requests[i]);
    else MPI_Irecv(pointer(memory[i]), 1, type, 0, i, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
  before = launches() - before;
  MPI_Gather(&before, 1, MPI_UNSIGNED, counts, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d messages: %u launches, %u launches\n", MESSAGES, counts[0], counts[1]);
  MPI_Type_free(&column);
  MPI_Type_free(&corner);
}

/* --- What others make of names and numbers that are ours --- */

/* The file of the job's table (peers.c). */
static const char *table_path(void) {
  static char path[512];
  const char *folder = getenv("PMIX_SERVER_TMPDIR"), *job = getenv("PMIX_NAMESPACE");
  struct statx facts;
  if (folder == NULL || job == NULL || statx(AT_FDCWD, folder, 0, STATX_INO | STATX_BTIME, &facts) != 0) exit(6);
  snprintf(path, sizeof path, "/dev/shm/stowage-devices-%u-%s-%llu-%lld.%u", (unsigned)geteuid(), job,
           (unsigned long long)facts.stx_ino, (long long)facts.stx_btime.tv_sec, facts.stx_btime.tv_nsec);
  return path;
}

/* Messages of the host that begin as offers do, and lead outside what is shared: they are what they are. */
static void forged(void) {
  struct offer {
    unsigned char nonce[16];
    uint16_t owner, piece;
    uint32_t turn, at, bytes;
  };
  static const struct offer leads[] = {{{0}, 3000, 0, 1, 0, BYTES},
                                       {{0}, 2, 0, 1, 0, BYTES},
                                       {{0}, 0, 64, 1, 0, BYTES},
                                       {{0}, 0, 0, 1, (64u << 20) - BYTES + 1, BYTES},
                                       {{0}, 0, 0, 1, UINT32_MAX - 100, BYTES}};
  enum { LEADS = sizeof leads / sizeof *leads };
  new_context();
  const uint64_t own = device();
  int status = MPI_SUCCESS, wrong = 0;
  warm(own, own);
  const unsigned reads = peer_reads();
  for (int i = 0; i < LEADS; i++) {
    struct offer offer = leads[i];
    const int file = open(table_path(), O_RDONLY);
    if (pread(file, offer.nonce, sizeof offer.nonce, 8) != sizeof offer.nonce) exit(7);
    close(file);
    fill();
    memcpy(bytes, &offer, sizeof offer);
    if (rank == 0) MPI_Send(bytes, BYTES, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    else {
      status = MPI_Recv(pointer(own), COUNT, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      cuMemcpyDtoH_v2(got, own, BYTES);
      wrong += wrong_bytes();
    }
  }
  tell("forged", status, reads, wrong);
  message("then", own, own);
}

enum { MOST_FILES = 1024 };

/* What a nonblocking send opens is closed by the program, which has pipes of that number then: nobody else reads them.
 */
static void descriptors(void) {
  static const char text[4096];
  static char read_back[sizeof text];
  struct stat facts;
  int was_open[MOST_FILES], lost = 0;
  new_context();
  const uint64_t own = device();
  MPI_Request request;
  warm(own, own);
  for (int turn = 0; turn < 2; turn++) {
    for (int file = 0; turn == 0 && file < MOST_FILES; file++) was_open[file] = fstat(file, &facts) == 0;
    if (rank == 0) MPI_Isend(pointer(own), COUNT, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, &request);
    else MPI_Irecv(pointer(own), COUNT, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, &request);
    if (turn == 1) usleep(20000);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int file = 0; rank == 0 && turn == 0 && file < MOST_FILES; file++) {
      int ends[2];
      if (was_open[file] || fstat(file, &facts) != 0) continue;
      if (pipe(ends) != 0 || write(ends[1], text, sizeof text) != sizeof text || dup2(ends[0], file) != file) exit(8);
      was_open[file] = 2;
    }
  }
  for (int file = 0; rank == 0 && file < MOST_FILES; file++)
    if (was_open[file] == 2) lost += (int)sizeof text - (int)read(file, read_back, sizeof text);
  if (rank == 0) printf("%d bytes read by others\n", lost), fflush(stdout);
}

/* Somebody has given another file of ours the table's name: it stays as it is. `begins`: before MPI_Init. */
static void linked(int begins) {
  char other[600];
  struct stat facts = {0};
  snprintf(other, sizeof other, "%s-other", table_path());
  if (begins) {
    const int file = open(other, O_RDWR | O_CREAT, 0600);
    if (file < 0 || (link(other, table_path()) != 0 && access(table_path(), F_OK) != 0)) exit(9);
    close(file);
    return;
  }
  of(device);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0 && stat(other, &facts) == 0)
    printf("another file of %lld bytes\n", (long long)facts.st_size), fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  unlink(other);
  unlink(table_path());
}

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "";
  if (strcmp(which, "linked") == 0) linked(1);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  *(void **)(void *)&peer_reads = dlsym(RTLD_DEFAULT, "standin_peer_reads");
  *(void **)(void *)&lose_flags = dlsym(RTLD_DEFAULT, "standin_lose_flags");
  if (cuInit(0) != 0) return 4;
  if (strcmp(which, "device") == 0) of(device);
  if (strcmp(which, "managed") == 0) of(managed);
  if (strcmp(which, "pool") == 0) of(pooled);
  if (strcmp(which, "pageable") == 0) pageable();
  if (strcmp(which, "contexts") == 0) contexts();
  if (strcmp(which, "freed") == 0) lost_receiver(0);
  if (strcmp(which, "destroyed") == 0) lost_receiver(1);
  if (strcmp(which, "sender destroyed") == 0) lost_sender();
  if (strcmp(which, "persistent freed") == 0) lost_kept();
  if (strcmp(which, "failed") == 0) failed_packing(0);
  if (strcmp(which, "ended") == 0) failed_packing(1);
  if (strcmp(which, "together") == 0) together();
  if (strcmp(which, "forged") == 0) forged();
  if (strcmp(which, "descriptors") == 0) descriptors();
  if (strcmp(which, "linked") == 0) linked(0);
  if (strcmp(which, "idle") == 0) idle(argv[2]);
  MPI_Finalize();
  return 0;
}
