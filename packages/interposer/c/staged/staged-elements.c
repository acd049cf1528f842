#define _GNU_SOURCE 1
#include "staged-elements.h"

#include "held-errors.h"
#include "next.h"
#include "predefined.h"
#include "say.h"
#include "staged-hosts.h"
#include "takes-gpus.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Basic elements with gaps between them. The first kind is a char and a double, nine bytes, of which no fragment is a
 * multiple: an MPI that takes these takes any. Of the others one that fails may yet leave smaller ones whole. */
enum { MIXED, KINDS = 6, MIXED_EXTENT = 16, AT_DOUBLE = 8 };
static const size_t SIZES[KINDS] = {1 + sizeof(double), 1, 2, 4, 8, 16};
/* Of a long double, some MPIs move these bytes alone. */
enum { LONG_DOUBLE_BYTES = 10 };
/* Behind each length at which the MPIs that we know change from one protocol or fragment to the next. */
static const size_t LENGTHS[] = {1000, 9000, 20000, 70000, 300000, 2500000};
enum { TAG = 1 };

/* Which kinds arrive whole, once it was asked. */
static int arrives[KINDS];

int staged_elements_arrive(size_t period_bytes) {
  if (arrives[MIXED]) return 1;
  for (int kind = MIXED + 1; kind < KINDS; kind++)
    if (SIZES[kind] == period_bytes) return arrives[kind];
  return 0;
}

static MPI_Datatype basic_type(int kind) {
  switch (SIZES[kind]) {
  case 1: return PREDEFINED_CHAR;
  case 2: return PREDEFINED_SHORT;
  case 4: return PREDEFINED_INT;
  case 8: return PREDEFINED_DOUBLE;
  default: return PREDEFINED_LONG_DOUBLE;
  }
}

static size_t extent_of(int kind) { return kind == MIXED ? MIXED_EXTENT : 2 * SIZES[kind]; }

/* Where a byte of an element, packed, lies in it. */
static size_t place_of(int kind, size_t within) {
  return kind == MIXED && within > 0 ? AT_DOUBLE + within - 1 : within;
}

static int is_moved(int kind, size_t within) { return SIZES[kind] < 16 || within < LONG_DOUBLE_BYTES; }

static int make_type(int kind, MPI_Datatype *type) {
  const int lengths[] = {1, 1};
  const MPI_Aint places[] = {0, AT_DOUBLE};
  const MPI_Datatype members[] = {PREDEFINED_CHAR, PREDEFINED_DOUBLE};
  MPI_Datatype element = basic_type(kind);
  if (kind == MIXED && NEXT(PMPI_Type_create_struct)(2, lengths, places, members, &element) != MPI_SUCCESS) return 0;
  const int made = NEXT(PMPI_Type_create_resized)(element, 0, (MPI_Aint)extent_of(kind), type) == MPI_SUCCESS;
  if (kind == MIXED) NEXT(PMPI_Type_free)(&element);
  return made && NEXT(PMPI_Type_commit)(type) == MPI_SUCCESS;
}

/* A ring of processes: each sends to the next and receives from the one before. */
struct ring {
  MPI_Comm communicator;
  int next, previous;
};

static struct ring ring_of(MPI_Comm communicator) {
  int rank = 0, size = 1;
  NEXT(PMPI_Comm_rank)(communicator, &rank);
  NEXT(PMPI_Comm_size)(communicator, &size);
  return (struct ring){communicator, (rank + 1) % size, (rank + size - 1) % size};
}

static unsigned char byte_at(size_t at) { return (unsigned char)(at * 131 + (at >> 8) * 17 + 7); }

/* Elements in turn: to find each byte's by division took most of MPI_Init. */
static int is_right(int kind, const unsigned char *user, const unsigned char *packed, size_t count) {
  const size_t size = SIZES[kind], extent = extent_of(kind);
  for (size_t i = 0; i < count; i++)
    for (size_t within = 0; within < size; within++)
      if (is_moved(kind, within) && user[i * extent + place_of(kind, within)] != packed[i * size + within]) return 0;
  return 1;
}

/* One message around the ring: sent as bytes, received as elements. */
static int goes_round(const struct ring *ring, int kind, MPI_Datatype type, size_t length) {
  const size_t count = length / SIZES[kind], bytes = count * SIZES[kind];
  unsigned char *packed = malloc(bytes), *user = calloc(count, extent_of(kind));
  int right = packed != NULL && user != NULL;
  if (!right) end_without_memory("a test of staged messages");
  for (size_t at = 0; at < bytes; at++) packed[at] = byte_at(at);
  right = NEXT(PMPI_Sendrecv)(packed, (int)bytes, PREDEFINED_BYTE, ring->next, TAG, user, (int)count, type,
                              ring->previous, TAG, ring->communicator, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
          is_right(kind, user, packed, count);
  free(packed);
  free(user);
  return right;
}

/* Whether a kind arrives whole at every process, by every ring. Nobody leaves off before the others. */
static int ask(const struct ring rings[], size_t count, int kind) {
  MPI_Datatype type;
  int own = 1, all = 0;
  if (!make_type(kind, &type)) end_without_memory("a test of staged messages");
  for (size_t i = 0; i < count; i++)
    for (size_t length = 0; length < sizeof LENGTHS / sizeof *LENGTHS; length++)
      own &= goes_round(&rings[i], kind, type, LENGTHS[length]);
  NEXT(PMPI_Type_free)(&type);
  if (NEXT(PMPI_Allreduce)(&own, &all, 1, PREDEFINED_INT, PREDEFINED_MINIMUM, rings[0].communicator) != MPI_SUCCESS)
    return 0;
  return all;
}

static void ask_all(MPI_Comm world, MPI_Comm host, MPI_Comm self) {
  const struct ring rings[] = {ring_of(world), ring_of(host), ring_of(self)};
  const size_t count = sizeof rings / sizeof *rings;
  arrives[MIXED] = ask(rings, count, MIXED);
  for (int kind = MIXED + 1; kind < KINDS && !arrives[MIXED]; kind++) arrives[kind] = ask(rings, count, kind);
}

enum { PATIENCE_S = 10, PAUSE_NS = 20000 };

static void tell_of_waiting(void) {
  static const char line[] =
      "stowage: MPI_Init: expected all processes of the job to be interposed, got some that do not answer in 10 s: "
      "with STOWAGE_STAGED=off none is waited for\n";
  if (write(STDERR_FILENO, line, sizeof line - 1) < 0) return;
}

/* All are there. Whoever waits in vain is told why. */
static int meet(void) {
  MPI_Request request;
  int is_over = 0, is_told = 0;
  const time_t begun = time(NULL);
  if (NEXT(PMPI_Ibarrier)(PREDEFINED_WORLD, &request) != MPI_SUCCESS) return 0;
  while (!is_over) {
    if (NEXT(PMPI_Test)(&request, &is_over, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 0;
    if (!is_over) nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
    if (!is_told && time(NULL) - begun > PATIENCE_S) is_told = 1, tell_of_waiting();
  }
  return 1;
}

/* In communicators of our own, where no message of the program is. They inherit the handlers. */
static const char *ask_apart(void) {
  MPI_Comm world, host, self;
  if (NEXT(PMPI_Comm_dup)(PREDEFINED_WORLD, &world) != MPI_SUCCESS ||
      NEXT(PMPI_Comm_dup)(PREDEFINED_SELF, &self) != MPI_SUCCESS ||
      NEXT(PMPI_Comm_split_type)(world, MPI_COMM_TYPE_SHARED, 0, PREDEFINED_NO_INFO, &host) != MPI_SUCCESS)
    return "communicators for the self-test cannot be made";
  staged_hosts_learn(host);
  ask_all(world, host, self);
  NEXT(PMPI_Comm_free)(&host);
  NEXT(PMPI_Comm_free)(&self);
  NEXT(PMPI_Comm_free)(&world);
  return NULL;
}

static int is_part_of_the_job_excluded(void) {
  const char *patterns = secure_getenv("STOWAGE_EXCLUDE");
  return patterns != NULL && *patterns != '\0';
}

const char *staged_elements_ask(void) {
  struct held_errors program;
  int is_initialised = 0;
  if (is_part_of_the_job_excluded()) return "STOWAGE_EXCLUDE may leave processes of the job native, which cannot agree";
  if (NEXT(PMPI_Initialized)(&is_initialised) != MPI_SUCCESS || !is_initialised)
    return "a program that begins by sessions, whose processes cannot agree";
  hold_errors(&program);
  const char *refused = mpi_takes_gpus() ? "an MPI that may be given data in a GPU's memory"
                        : meet()         ? ask_apart()
                                         : "the processes of the job cannot agree";
  let_errors_go(&program);
  return refused;
}
