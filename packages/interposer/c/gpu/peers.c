#define _GNU_SOURCE 1
#include "peers.h"

#include "job-name.h"
#include "job-ranks.h"
#include "mode.h"
#include "next.h"
#include "predefined.h"
#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int peer_self = -1;

enum { VERSION = 0x53540001, MAKING = 1, MOST_MS = 1000, HEAD_BYTES = 4096 };
_Static_assert(sizeof(struct peer_slot) <= PEER_SLOT_BYTES, "a slot holds what a process tells");

struct table_head {
  atomic_uint version, attached;
  unsigned char nonce[NONCE_BYTES];
};

static unsigned char *table;
static size_t table_bytes;
static int ranks;

struct peer_slot *peer_slot(int peer) {
  return (struct peer_slot *)(void *)(table + HEAD_BYTES + (size_t)peer * PEER_SLOT_BYTES);
}
const unsigned char *peer_nonce(void) { return ((struct table_head *)(void *)table)->nonce; }

static char path[512];

/* Memory that the driver can be told of, under a name of the job. */
static int find_path(void) {
  char job[400];
  if (!job_name(job, sizeof job)) return 0;
  const int length = snprintf(path, sizeof path, "/dev/shm/stowage-devices-%s", job);
  return length > 0 && (size_t)length < sizeof path;
}

/* A second name may be another file of ours, which whoever made this name wants written. */
static int is_ours(int file) {
  struct stat facts;
  return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink == 1 && facts.st_uid == geteuid() &&
         (facts.st_mode & 077) == 0;
}

/* Where the folder is full a page that is not there yet would end the process, by SIGBUS, when it is written. */
static int has_room(int file, size_t bytes) {
  const int error = posix_fallocate(file, 0, (off_t)bytes);
  if (error == 0) return 1;
  say("messages between devices: %s: expected room for %zu bytes, got %s: they go through host memory", path, bytes,
      strerror(error));
  unlink(path);
  return 0;
}

static void pause_ms(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

/* The first process draws what offers begin with. */
static int agree(struct table_head *head) {
  unsigned none = 0;
  if (atomic_compare_exchange_strong(&head->version, &none, MAKING)) {
    if (getrandom(head->nonce, NONCE_BYTES, 0) != NONCE_BYTES) return 0;
    atomic_store(&head->version, VERSION);
  }
  for (int ms = 0; atomic_load(&head->version) == MAKING && ms < MOST_MS; ms++) pause_ms();
  return atomic_load(&head->version) == VERSION;
}

static int map_table(void) {
  if (!find_path()) return 0;
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (file < 0) return 0;
  table_bytes = HEAD_BYTES + (size_t)ranks * PEER_SLOT_BYTES;
  void *memory = MAP_FAILED;
  if (is_ours(file) && has_room(file, table_bytes))
    memory = mmap(NULL, table_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return 0;
  table = memory;
  return agree(memory);
}

void peers_join(void) {
  int self = -1;
  /* An offer may come to any receive, and MPI 4.0 has some that look for none on a device (MPI_Isendrecv). */
  if (MPI_VERSION >= 4 || table != NULL || mode_chosen != MODE_CONVERTOR) return;
  if (NEXT(PMPI_Comm_rank)(PREDEFINED_WORLD, &self) != MPI_SUCCESS) return;
  NEXT(PMPI_Comm_size)(PREDEFINED_WORLD, &ranks);
  if (ranks < 2 || ranks > MOST_PEERS || !map_table()) return;
  struct peer_slot *slot = peer_slot(self);
  atomic_fetch_add(&((struct table_head *)(void *)table)->attached, 1);
  atomic_store(&slot->process, (unsigned)getpid());
  atomic_store(&slot->state, PEER_WATCHES);
  peer_self = self;
  say("messages between devices: this process takes and offers memory of devices");
}

void peers_leave(void) {
  if (peers_are_there()) atomic_store(&peer_slot(peer_self)->state, PEER_LEAVES);
}

void peers_close(void) {
  if (peers_are_there() && atomic_fetch_sub(&((struct table_head *)(void *)table)->attached, 1) == 1) unlink(path);
  peer_self = -1;
}

int peer_is_known(unsigned peer) { return peers_are_there() && peer < (unsigned)ranks; }

static int watches(int peer) {
  return peer >= 0 && peer_is_known((unsigned)peer) && atomic_load(&peer_slot(peer)->state) == PEER_WATCHES;
}

int peer_of(MPI_Comm communicator, int rank) {
  if (!peers_are_there() || rank < 0 || communicator == PREDEFINED_NULL) return -1;
  const int peer = job_rank_of(communicator, rank);
  return watches(peer) ? peer : -1;
}

int peer_may_send(MPI_Comm communicator, int source) {
  if (!peers_are_there()) return 0;
  return source == MPI_ANY_SOURCE || peer_of(communicator, source) >= 0;
}

int peer_is_alive(int peer) {
  const struct peer_slot *slot = peer_slot(peer);
  return atomic_load(&slot->state) == PEER_WATCHES &&
         (kill((pid_t)atomic_load(&slot->process), 0) == 0 || errno == EPERM);
}
