/* Messages whose elements are read where they lie, in memory of MPI_Alloc_mem: of datatypes of every constructor, by
 * calls of every kind, on two ranks: past-lying WHAT [private|refused]. Whenever a send is over its memory is
 * overwritten, so that what is read late shows. Prints how many checks there were and how many failed. WHAT is `kinds`:
 * MESSAGES of each constructor; `calls`: of each call; `waits`: a receive that is completed late, and other things that
 * no send may wait for; `memory`: blocks that come and go, and whether pages of one that was read are gone with it.
 * `private`: in memory of malloc, and whether the system lets one rank read the other's (process_vm_readv); `refused`:
 * where it does not, by a filter of calls (seccomp(2)). */
#define _GNU_SOURCE 1
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MESSAGES = 4, LINE = 4096, ROW = 2 * LINE, ROWS = 64, SPAN = 3 * ROW * ROWS };

static int rank, checks, wrong;

static void check(int is_right, const char *what) {
  checks++;
  if (is_right) return;
  wrong++;
  fprintf(stderr, "rank %d: %s\n", rank, what);
}

static unsigned char byte_of(int seed, size_t i) {
  return (unsigned char)(i * 131 + (i >> 8) * 17 + (size_t)seed * 29);
}

static void fill(unsigned char *bytes, int seed) {
  for (size_t i = 0; i < SPAN; i++) bytes[i] = byte_of(seed, i);
}

/* Received as a type that the sender has too, into memory of 0: what MPI_Pack and MPI_Unpack make of it. */
static int has_elements(const unsigned char *bytes, int seed, int count, MPI_Datatype type) {
  unsigned char *sent = malloc(SPAN), *wanted = calloc(1, SPAN), *packed = malloc(SPAN);
  int out = 0, in = 0;
  fill(sent, seed);
  MPI_Pack(sent, count, type, packed, SPAN, &out, MPI_COMM_SELF);
  MPI_Unpack(packed, SPAN, &in, wanted, count, type, MPI_COMM_SELF);
  const int right = out > 0 && in == out && memcmp(bytes, wanted, SPAN) == 0;
  free(sent);
  free(wanted);
  free(packed);
  return right;
}

/* Received as its packed bytes. */
static int has_packed(const unsigned char *bytes, int seed, int count, MPI_Datatype type) {
  unsigned char *sent = malloc(SPAN), *packed = malloc(SPAN);
  int out = 0;
  fill(sent, seed);
  MPI_Pack(sent, count, type, packed, SPAN, &out, MPI_COMM_SELF);
  const int right = memcmp(bytes, packed, (size_t)out) == 0;
  free(sent);
  free(packed);
  return right;
}

static int bytes_of(int count, MPI_Datatype type) {
  int size;
  MPI_Type_size(type, &size);
  return count * size;
}

static int is_private;

static unsigned char *allocated(size_t bytes) {
  unsigned char *memory;
  if (is_private) return malloc(bytes);
  MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &memory);
  return memory;
}

/* --- Constructors --- */

enum { KINDS = 12 };

static int make(int kind, MPI_Datatype *type, const char **name) {
  MPI_Datatype row, rows;
  int lengths[ROWS], places[ROWS], sizes[3], subsizes[3], starts[3];
  MPI_Aint addresses[ROWS];
  MPI_Datatype types[ROWS];
  int count = 1;
  for (int i = 0; i < ROWS; i++) {
    lengths[i] = 512 + 8 * (i % 5);
    places[i] = (i * 7 % ROWS) * (ROW / 8);
    addresses[i] = (MPI_Aint)8 * places[i];
    types[i] = i % 2 ? MPI_DOUBLE : MPI_INT64_T;
  }
  switch (kind) {
  case 0:
    *name = "vector";
    MPI_Type_vector(ROWS, LINE, ROW, MPI_BYTE, type);
    break;
  case 1:
    *name = "hvector";
    MPI_Type_create_hvector(ROWS, LINE / 8, ROW + 16, MPI_DOUBLE, type);
    break;
  case 2:
    *name = "indexed";
    MPI_Type_indexed(ROWS, lengths, places, MPI_DOUBLE, type);
    break;
  case 3:
    *name = "hindexed";
    MPI_Type_create_hindexed(ROWS, lengths, addresses, MPI_DOUBLE, type);
    break;
  case 4:
    *name = "indexed_block";
    MPI_Type_create_indexed_block(ROWS, 512, places, MPI_DOUBLE, type);
    break;
  case 5:
    *name = "hindexed_block";
    MPI_Type_create_hindexed_block(ROWS, 512, addresses, MPI_DOUBLE, type);
    break;
  case 6:
    *name = "struct";
    MPI_Type_create_struct(ROWS, lengths, addresses, types, type);
    break;
  case 7:
  case 8:
    sizes[0] = sizes[2] = kind == 7 ? 4 : 1024;
    sizes[1] = 40;
    sizes[2] = kind == 7 ? 1024 : 4;
    subsizes[0] = kind == 7 ? 3 : 600;
    subsizes[1] = 17;
    subsizes[2] = kind == 7 ? 600 : 3;
    starts[0] = starts[2] = 1;
    starts[1] = 5;
    *name = kind == 7 ? "subarray" : "subarray of Fortran";
    MPI_Type_create_subarray(3, sizes, subsizes, starts, kind == 7 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, MPI_DOUBLE, type);
    break;
  case 9:
    *name = "several elements";
    MPI_Type_vector(8, LINE, ROW, MPI_BYTE, &rows);
    MPI_Type_create_resized(rows, 0, 9 * ROW, type);
    MPI_Type_free(&rows);
    count = 6;
    break;
  case 10:
    *name = "a vector of vectors that touch";
    MPI_Type_contiguous(LINE / 8, MPI_DOUBLE, &row);
    MPI_Type_create_hvector(2, 1, LINE, row, &rows);
    MPI_Type_create_hvector(ROWS / 2, 1, 3 * LINE, rows, type);
    MPI_Type_free(&row);
    MPI_Type_free(&rows);
    break;
  default:
    *name = "a duplicate";
    MPI_Type_vector(ROWS, LINE, ROW, MPI_BYTE, &rows);
    MPI_Type_dup(rows, type);
    MPI_Type_free(&rows);
  }
  MPI_Type_commit(type);
  return count;
}

/* Both ways in turns: of the same type, and side by side. */
static void kinds(unsigned char *memory) {
  unsigned char *in = malloc(SPAN);
  for (int kind = 0; kind < KINDS; kind++) {
    MPI_Datatype type;
    const char *name;
    const int count = make(kind, &type, &name), bytes = bytes_of(count, type);
    for (int i = 0; i < 2 * MESSAGES; i++) {
      const int seed = kind * 16 + i, is_packed = i % 4 >= 2;
      if (i % 2 == rank) {
        fill(memory, seed);
        MPI_Send(memory, count, type, 1 - rank, i, MPI_COMM_WORLD);
        memset(memory, 0xee, SPAN);
        continue;
      }
      memset(in, 0, SPAN);
      if (is_packed) MPI_Recv(in, bytes, MPI_BYTE, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else MPI_Recv(in, count, type, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check(is_packed ? has_packed(in, seed, count, type) : has_elements(in, seed, count, type), name);
    }
    MPI_Type_free(&type);
  }
  free(in);
}

/* --- Calls --- */

/* Both at once by requests: the first bytes of the memory of each. */
static void exchange(unsigned char *memory, MPI_Datatype type, int turn) {
  MPI_Request requests[2];
  unsigned char *in = calloc(1, SPAN);
  fill(memory, turn + rank);
  MPI_Irecv(in, 1, type, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  (turn % 2 ? MPI_Isend : MPI_Issend)(memory, 1, type, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  if (turn % 3 == 0) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int left = 2, index, is_over = 0; turn % 3 == 1 && left > 0; left -= is_over)
    MPI_Testany(2, requests, &index, &is_over, MPI_STATUS_IGNORE);
  for (int i = 1; turn % 3 == 2 && i >= 0; i--) {
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    if (i == 1) memset(memory, 0xee, SPAN);
  }
  memset(memory, 0xee, SPAN);
  check(has_elements(in, turn + 1 - rank, 1, type), "an exchange by requests");
  free(in);
}

static void sendrecv(unsigned char *memory, MPI_Datatype type, int turn) {
  unsigned char *in = calloc(1, SPAN);
  MPI_Status status;
  int count;
  fill(memory, turn + rank);
  MPI_Sendrecv(memory, 1, type, 1 - rank, 1, in, 1, type, 1 - rank, 1, MPI_COMM_WORLD, &status);
  memset(memory, 0xee, SPAN);
  MPI_Get_count(&status, type, &count);
  check(count == 1 && has_elements(in, turn + 1 - rank, 1, type), "MPI_Sendrecv");
  fill(memory, turn + rank);
  MPI_Sendrecv_replace(memory, 1, type, 1 - rank, 2, 1 - rank, 2, MPI_COMM_WORLD, &status);
  for (int i = 0; i < ROWS; i++)
    check(memcmp(memory + i * ROW, in + i * ROW, LINE) == 0 &&
              memory[i * ROW + LINE] == byte_of(turn + rank, (size_t)(i * ROW + LINE)),
          "MPI_Sendrecv_replace");
  free(in);
}

static void persistent(unsigned char *memory, MPI_Datatype type) {
  MPI_Request requests[2];
  unsigned char *in = malloc(SPAN);
  MPI_Recv_init(in, 1, type, 1 - rank, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(memory, 1, type, 1 - rank, 3, MPI_COMM_WORLD, &requests[1]);
  for (int turn = 0; turn < 2 * MESSAGES; turn++) {
    memset(in, 0, SPAN);
    fill(memory, turn + rank);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    memset(memory, 0xee, SPAN);
    check(has_elements(in, turn + 1 - rank, 1, type), "a persistent exchange");
  }
  for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);
  free(in);
}

/* A persistent request whose memory is given back and taken again, as another block at the same place, if it is there.
 */
static void taken_again(MPI_Datatype type) {
  MPI_Request request;
  unsigned char *own = allocated(SPAN), *in = malloc(SPAN);
  int is_same = 1;
  if (rank == 0) MPI_Send_init(own, 1, type, 1, 5, MPI_COMM_WORLD, &request);
  for (int turn = 0; turn < 2 * MESSAGES; turn++) {
    if (turn == MESSAGES && rank == 0 && !is_private) {
      MPI_Free_mem(own);
      unsigned char *other = allocated(SPAN);
      is_same = other == own;
      own = other;
    }
    MPI_Bcast(&is_same, 1, MPI_INT, 0, MPI_COMM_WORLD);
    fill(own, turn);
    if (rank == 0 && is_same) MPI_Start(&request);
    if (rank == 0 && is_same) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) continue;
    memset(in, 0, SPAN);
    if (is_same) MPI_Recv(in, 1, type, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(!is_same || has_elements(in, turn, 1, type), "a request of memory that was taken again");
  }
  if (rank == 0) MPI_Request_free(&request);
  if (is_private) free(own);
  else MPI_Free_mem(own);
  free(in);
}

/* A receive that is too short, or of nothing: the next message is right. */
static void cut_short(unsigned char *memory, MPI_Datatype type) {
  unsigned char *in = malloc(SPAN);
  for (int turn = 0; turn < 2 * MESSAGES; turn++) {
    MPI_Barrier(MPI_COMM_WORLD);
    fill(memory, turn);
    if (rank == 0) MPI_Send(memory, 1, type, 1, 4, MPI_COMM_WORLD);
    memset(memory, 0xee, SPAN);
    if (rank == 0) continue;
    int class;
    const int length = turn % 4 == 0 ? 0 : turn % 4 == 1 ? LINE + 100 : ROWS * LINE;
    MPI_Error_class(MPI_Recv(in, length, MPI_BYTE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &class);
    if (turn % 4 < 2) check(class == MPI_ERR_TRUNCATE, "a message that is cut short");
    else check(class == MPI_SUCCESS && has_packed(in, turn, 1, type), "the message behind it");
  }
  free(in);
}

static void calls(unsigned char *memory) {
  MPI_Datatype type;
  const char *name;
  make(0, &type, &name);
  for (int turn = 0; turn < 3 * MESSAGES; turn++) exchange(memory, type, turn);
  for (int turn = 0; turn < MESSAGES; turn++) sendrecv(memory, type, turn);
  persistent(memory, type);
  taken_again(type);
  cut_short(memory, type);
  MPI_Type_free(&type);
}

/* --- What no send may wait for --- */

static void waits(unsigned char *memory) {
  MPI_Datatype type;
  MPI_Request request;
  unsigned char *in = calloc(2, SPAN);
  const char *name;
  int word = 0;
  make(0, &type, &name);
  const int bytes = bytes_of(1, type);
  for (int turn = 0; turn < MESSAGES; turn++) {
    /* Received where elements lie side by side, and completed behind a message that is sent behind it. */
    if (rank == 0) {
      fill(memory, turn);
      MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Isend(memory, 1, type, 1, 1, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      memset(memory, 0xee, SPAN);
      MPI_Send(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
      MPI_Irecv(in, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request);
      MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
      MPI_Recv(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      check(has_packed(in, turn, 1, type), "a receive that is completed late");
    }
    /* A request that is freed, of which only an answer tells that it is over. */
    if (rank == 0) {
      fill(memory, turn + 50);
      MPI_Isend(memory, 1, type, 1, 3, MPI_COMM_WORLD, &request);
      MPI_Request_free(&request);
      MPI_Recv(&word, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      memset(memory, 0xee, SPAN);
    } else {
      memset(in, 0, SPAN);
      MPI_Recv(in, 1, type, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&word, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
      check(has_elements(in, turn + 50, 1, type), "a send whose request is freed");
    }
    /* The type is freed while it is sent. */
    MPI_Datatype other;
    make(11, &other, &name);
    if (rank == 0) {
      fill(memory, turn + 60);
      MPI_Isend(memory, 1, other, 1, 5, MPI_COMM_WORLD, &request);
      MPI_Type_free(&other);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      memset(memory, 0xee, SPAN);
    } else {
      memset(in, 0, SPAN);
      MPI_Recv(in, 1, other, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check(has_elements(in, turn + 60, 1, other), "a type that is freed");
      MPI_Type_free(&other);
    }
  }
  MPI_Type_free(&type);
  free(in);
}

/* --- Memory --- */

enum { LONG_ROW = 64 << 10, LARGE = 2 * LONG_ROW * ROWS, MOST_LARGE = 6 };

/* How much of other processes' memory that is as long as such a block is in this one's, in KiB (proc(5)). */
static long seen_kib(void) {
  char line[512];
  unsigned long from, to;
  long kib, all = 0;
  int is_one = 0;
  FILE *maps = fopen("/proc/self/smaps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    if (sscanf(line, "%lx-%lx ", &from, &to) == 2) is_one = strstr(line, "stowage-heap") != NULL && to - from >= LARGE;
    if (is_one && sscanf(line, "Rss: %ld", &kib) == 1) all += kib;
  }
  if (maps != NULL) fclose(maps);
  return all;
}

/* Whether the pages of a block that was read are gone where it was read once its owner has freed it. */
static void pages(unsigned char *in) {
  MPI_Datatype type;
  unsigned char *large = rank == 0 ? allocated(LARGE) : NULL;
  if (rank == 0) memset(large, 1, LARGE);
  MPI_Type_vector(ROWS, LONG_ROW, 2 * LONG_ROW, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  for (int i = 0; i < MOST_LARGE; i++) {
    if (rank == 0) MPI_Send(large, 1, type, 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(in, ROWS * LONG_ROW, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 1) check(in[0] == 1 && in[ROWS * LONG_ROW - 1] == 1, "a large message");
  const long with = seen_kib();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Free_mem(large);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1)
    fprintf(stderr, "pages of the other rank's: %s\n",
            with < LARGE >> 11         ? "none"
            : seen_kib() < LARGE >> 14 ? "gone with it"
                                       : "kept");
  MPI_Type_free(&type);
}

static void blocks(void) {
  enum { MANY = 100, TURNS = 40 };
  unsigned char *all[MANY], *in = malloc(SPAN);
  MPI_Datatype type;
  const char *name;
  make(0, &type, &name);
  /* More than there are such blocks, then one after another, of which each has the place of one that is gone. */
  for (int i = 0; i < MANY; i++) {
    all[i] = allocated(SPAN);
    memset(all[i], i, 1);
  }
  for (int i = 0; i < MANY; i++) check(all[i][0] == i, "many blocks");
  for (int i = 0; i < MANY; i++) MPI_Free_mem(all[i]);
  for (int turn = 0; turn < TURNS; turn++) {
    unsigned char *memory = allocated(SPAN);
    for (int i = 0; i < 3; i++) {
      fill(memory, turn + i);
      if (rank == 0) MPI_Send(memory, 1, type, 1, 0, MPI_COMM_WORLD);
      memset(memory, 0xee, SPAN);
      if (rank == 0) continue;
      memset(in, 0, SPAN);
      MPI_Recv(in, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check(has_elements(in, turn + i, 1, type), "a message out of a new block");
    }
    MPI_Free_mem(memory);
  }
  free(in);
  MPI_Type_free(&type);
  pages(in = malloc(ROWS * LONG_ROW));
  free(in);
}

static void refuse_reads(void) {
  struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Rank 1 reads a word of rank 0's. */
static void say_whether_reads_are_allowed(void) {
  static int64_t word = 29;
  int64_t own[2] = {getpid(), (int64_t)(intptr_t)&word}, there = 0;
  MPI_Bcast(own, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
  const struct iovec to = {&there, sizeof there}, from = {(void *)(intptr_t)own[1], sizeof there};
  if (rank == 1)
    fprintf(stderr, "reads are %s\n",
            process_vm_readv((pid_t)own[0], &to, 1, &from, 1, 0) == sizeof there ? "allowed" : "refused");
}

int main(int argc, char **argv) {
  int own[2], all[2];
  const char *what = argc > 1 ? argv[1] : "kinds";
  if (argc > 2 && strcmp(argv[2], "refused") == 0) refuse_reads();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  is_private = argc > 2;
  if (is_private) say_whether_reads_are_allowed();
  unsigned char *memory = allocated(SPAN);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(what, "kinds") == 0) kinds(memory);
  else if (strcmp(what, "calls") == 0) calls(memory);
  else if (strcmp(what, "waits") == 0) waits(memory);
  else blocks();
  if (is_private) free(memory);
  else MPI_Free_mem(memory);
  own[0] = checks;
  own[1] = wrong;
  MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d checks, %d wrong\n", all[0], all[1]);
  MPI_Finalize();
  return 0;
}
