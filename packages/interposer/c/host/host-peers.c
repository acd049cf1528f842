#define _GNU_SOURCE 1
#include "host-peers.h"

#include "host-choice.h"
#include "host-offer.h"
#include "host-trial.h"
#include "job-name.h"
#include "job-ranks.h"
#include "mode.h"
#include "next.h"
#include "predefined.h"
#include "say.h"
#include "under-way.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

/* By rank in MPI_COMM_WORLD: what is known of each. */
struct peer {
  /* Messages that might have gone so before it was found: it may not be there yet. */
  unsigned sought;
  pid_t process;
  struct inbox *inbox;
  struct inbox_use use;
};
static struct peer *peers;
static int self, ranks, listening = -1;
static char job[80];

/* Names of sockets that are in no folder (unix(7)): they go with the process. */
static socklen_t address_of(int rank, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  const int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "stowage-%s.%d", job, rank);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static int local_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

/* That it is there is all that others ask: nobody is let in. */
static int listen_as(int rank) {
  struct sockaddr_un address;
  const socklen_t length = address_of(rank, &address);
  listening = local_socket();
  if (listening >= 0 && bind(listening, (struct sockaddr *)&address, length) == 0 && listen(listening, ranks) == 0)
    return 1;
  if (listening >= 0) close(listening);
  listening = -1;
  return 0;
}

/* A session alone has no MPI_COMM_WORLD. */
static int has_world(void) {
  int is_initialised = 0;
  return NEXT(PMPI_Initialized)(&is_initialised) == MPI_SUCCESS && is_initialised;
}

/* Of a lone process and under launchers that tell of no job messages are the MPI's. */
static int takes_part(void) {
  int level;
  if (!mode_takes_offers() || host_least_bytes() == 0) return 0;
  if (!has_world()) return say("no message goes past the MPI: the program began by a session without MPI_Init"), 0;
  if (mode_refusal(STOWAGE_UNPACK) != NULL)
    return say("no message goes past the MPI: %s", mode_refusal(STOWAGE_UNPACK)), 0;
  if (NEXT(PMPI_Query_thread)(&level) != MPI_SUCCESS) return 0;
  under_way_is_shared = level == MPI_THREAD_MULTIPLE;
  return NEXT(PMPI_Comm_rank)(PREDEFINED_WORLD, &self) == MPI_SUCCESS &&
         NEXT(PMPI_Comm_size)(PREDEFINED_WORLD, &ranks) == MPI_SUCCESS && ranks > 1 && job_name(job, sizeof job);
}

/* Open MPI asks a convertor of ours for every receive. Before any other process finds the inbox. */
static void begin_looking(void) {
  if (!mode_is(MODE_UCX)) return;
  host_looks = 1;
  host_looks_begin();
}

void host_start(void) {
  if (!takes_part() || !inbox_make()) return;
  if (host_is_measured()) host_trials_begin();
  begin_looking();
  peers = calloc((size_t)ranks, sizeof *peers);
  if (peers != NULL && listen_as(self)) return;
  host_stop();
  host_looks = 0;
  inbox_unmake();
}

void host_stop(void) {
  for (int i = 0; i < ranks && peers != NULL; i++)
    if (peers[i].inbox != NULL) inbox_close(peers[i].inbox);
  free(peers);
  peers = NULL;
  if (listening >= 0) close(listening);
  listening = -1;
}

/* The process of this user that listens under a rank's name; 0: there is none. */
static pid_t process_of(int rank) {
  struct sockaddr_un address;
  struct ucred who = {0};
  socklen_t room = sizeof who;
  const socklen_t length = address_of(rank, &address);
  const int file = local_socket();
  if (file < 0) return 0;
  const int is_there = connect(file, (struct sockaddr *)&address, length) == 0 &&
                       getsockopt(file, SOL_SOCKET, SO_PEERCRED, &who, &room) == 0 && who.uid == geteuid();
  close(file);
  return is_there ? who.pid : 0;
}

static struct inbox *open_of(int rank) {
  struct peer *peer = &peers[rank];
  peer->process = process_of(rank);
  return peer->process > 0 ? inbox_open(peer->process, &peer->use) : NULL;
}

static int is_power_of_two(unsigned number) { return (number & (number - 1)) == 0; }

/* In MPI_COMM_WORLD, whose own need no look. */
static int world_rank_of(MPI_Comm communicator, int rank) {
  return communicator == PREDEFINED_WORLD ? rank : job_rank_of(communicator, rank);
}

int host_peer_of(MPI_Comm communicator, int rank) {
  if (peers == NULL || rank < 0) return -1;
  const int world = world_rank_of(communicator, rank);
  return world < ranks && world != self ? world : -1;
}

/* One thread alone opens it, and others do without it meanwhile. */
static struct inbox *sought(int world_rank) {
  static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
  struct peer *peer = &peers[world_rank];
  if (pthread_mutex_trylock(&opening) != 0) return NULL;
  if (peer->inbox == NULL && is_power_of_two(++peer->sought))
    __atomic_store_n(&peer->inbox, open_of(world_rank), __ATOMIC_RELEASE);
  pthread_mutex_unlock(&opening);
  return peer->inbox;
}

struct inbox *host_peer_inbox(int world_rank) {
  struct inbox *inbox = __atomic_load_n(&peers[world_rank].inbox, __ATOMIC_ACQUIRE);
  return LIKELY(inbox != NULL) ? inbox : sought(world_rank);
}

struct inbox_use *host_peer_use(int world_rank) { return &peers[world_rank].use; }

pid_t host_peer_process(int world_rank) { return peers[world_rank].process; }

int host_own_rank(void) { return self; }

int host_has_ended(pid_t process) {
  const int file = (int)syscall(SYS_pidfd_open, process, 0);
  if (file < 0) return errno == ESRCH || (errno == ENOSYS && kill(process, 0) != 0 && errno == ESRCH);
  struct pollfd ended = {file, POLLIN, 0};
  const int has = poll(&ended, 1, 0) == 1;
  close(file);
  return has;
}

/* Looks between two times that others may have the processor, and such times between two looks at the process. */
enum { SPINS = 1 << 10, YIELDS = 1 << 8 };

int host_has_ended_after(pid_t process, unsigned looks) {
  if (looks % SPINS != 0) return 0;
  sched_yield();
  return looks / SPINS % YIELDS == 0 && host_has_ended(process);
}
