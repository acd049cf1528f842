/* Ways of a message's elements from one process to another of its host: direct-reads RUN TOTAL SAMPLES. Two processes,
 * each on a core of its own, send each other TOTAL bytes in runs of RUN bytes with gaps as long, there and back: by
 * pieces that one packs into a ring of shared memory and the other unpacks; by process_vm_readv from layout to layout;
 * by copies from layout to layout out of memory that both map. In each sample the ways take turns; each line printed
 * has one way's times in nanoseconds for one way, behind whether the bytes arrived. Ends with 1 where they did not at
 * the other process. */
#define _GNU_SOURCE 1
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RING, READ, MAPPED, WAYS, MOST_SAMPLES = 64, RUNS_OF_CALL = 1024, RING_BYTES = 1 << 20, LEAST_PIECE = 16384 };
enum { MOST_PIECE = 131072, SAMPLE_NS = 1000000 };

/* What one process has sent and the other has taken, in bytes since the start, and the pieces between them. */
struct channel {
  _Alignas(64) atomic_long sent;
  _Alignas(64) atomic_long taken;
  _Alignas(4096) char pieces[RING_BYTES];
};

struct shared {
  struct channel channels[2];
  atomic_int turns, is_there[2];
  pid_t processes[2];
  char *layouts[2];
};

static struct shared *shared;
static char *mapped[2], *private_layout;
static long run, total;
static int me;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static long smaller(long a, long b) { return a < b ? a : b; }

static void wait_for(const atomic_long *bytes, long least) {
  while (*bytes < least) continue;
}

/* An eighth of the message, as the interposer's pieces are, of whole runs. */
static long piece_bytes(void) {
  const long eighth = smaller(total / 8 > LEAST_PIECE ? total / 8 : LEAST_PIECE, MOST_PIECE);
  return smaller(eighth > run ? eighth / run * run : run, total);
}

static void send_by_ring(const char *layout) {
  struct channel *channel = &shared->channels[me];
  const long before = channel->sent;
  for (long first = 0; first < total; first += piece_bytes()) {
    const long bytes = smaller(piece_bytes(), total - first);
    wait_for(&channel->taken, before + first + bytes - RING_BYTES);
    for (long at = 0; at < bytes; at += run)
      memcpy(channel->pieces + (before + first + at) % RING_BYTES, layout + 2 * (first + at), (size_t)run);
    channel->sent = before + first + bytes;
  }
}

static void receive_by_ring(char *layout) {
  struct channel *channel = &shared->channels[1 - me];
  const long before = channel->taken;
  for (long first = 0; first < total; first += piece_bytes()) {
    const long bytes = smaller(piece_bytes(), total - first);
    wait_for(&channel->sent, before + first + bytes);
    for (long at = 0; at < bytes; at += run)
      memcpy(layout + 2 * (first + at), channel->pieces + (before + first + at) % RING_BYTES, (size_t)run);
    channel->taken = before + first + bytes;
  }
}

/* The other two: the sender says that its elements may be read, and waits until they are. */
static void offer(void) {
  struct channel *channel = &shared->channels[me];
  const long after = channel->sent + total;
  channel->sent = after;
  wait_for(&channel->taken, after);
}

static void read_runs(char *layout) {
  struct iovec to[RUNS_OF_CALL], from[RUNS_OF_CALL];
  for (long at = 0; at < total;) {
    long bytes = 0;
    unsigned long runs = 0;
    for (; runs < RUNS_OF_CALL && at < total; runs++, at += run, bytes += run) {
      to[runs] = (struct iovec){layout + 2 * at, (size_t)run};
      from[runs] = (struct iovec){shared->layouts[1 - me] + 2 * at, (size_t)run};
    }
    if (process_vm_readv(shared->processes[1 - me], to, runs, from, runs, 0) != bytes) exit(3);
  }
}

static void take(int way, char *layout) {
  struct channel *channel = &shared->channels[1 - me];
  const long after = channel->taken + total;
  wait_for(&channel->sent, after);
  if (way == READ) read_runs(layout);
  else
    for (long at = 0; at < total; at += run) memcpy(layout + 2 * at, mapped[1 - me] + 2 * at, (size_t)run);
  channel->taken = after;
}

static char *layout_of(int way) { return way == MAPPED ? mapped[me] : private_layout; }

static void send_by(int way) { way == RING ? send_by_ring(layout_of(way)) : offer(); }

static void receive_by(int way) { way == RING ? receive_by_ring(layout_of(way)) : take(way, layout_of(way)); }

static double one_way(int way, int times) {
  const double start = now();
  for (int i = 0; i < times; i++) {
    if (me == 0) send_by(way);
    receive_by(way);
    if (me == 1) send_by(way);
  }
  return (now() - start) / (2.0 * times);
}

/* Process 1 has what process 0 sent, and process 0 has it again once it came back. */
static int arrives(int way) {
  char *layout = layout_of(way);
  for (long at = 0; at < 2 * total; at++) layout[at] = (char)(me == 0 ? at * 131 + way : 0);
  if (me == 0) {
    send_by(way);
    memset(layout, 0, 2 * (size_t)total);
  }
  receive_by(way);
  if (me == 1) send_by(way);
  for (long at = 0; at < total; at++) {
    const long place = at / run * 2 * run + at % run;
    if (layout[place] != (char)(place * 131 + way)) return 0;
  }
  return 1;
}

/* Process 0 says how many messages a sample has. */
static int agreed_turns(double once) {
  if (me == 0) shared->turns = (int)(SAMPLE_NS / once) + 1;
  (void)one_way(RING, 1);
  return shared->turns;
}

static void meet(void) {
  shared->is_there[me] = 1;
  while (!shared->is_there[1 - me]) continue;
}

static void *shared_bytes(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) exit(2);
  memset(memory, 0, bytes);
  return memory;
}

/* The first core that the processes may have, or the second. */
static size_t own_core(void) {
  cpu_set_t may;
  sched_getaffinity(0, sizeof may, &may);
  size_t core = 0;
  for (int passed = 0; core < CPU_SETSIZE - 1; core++)
    if (CPU_ISSET(core, &may) && passed++ == me) break;
  return core;
}

static void place(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(own_core(), &set);
  sched_setaffinity(0, sizeof set, &set);
  private_layout = aligned_alloc(4096, 2 * (size_t)total);
  if (private_layout == NULL) exit(2);
  memset(private_layout, 0, 2 * (size_t)total);
  shared->processes[me] = getpid();
  shared->layouts[me] = private_layout;
  (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  meet();
}

/* Whether all arrived here. */
static int measure(int samples) {
  static double ns[WAYS][MOST_SAMPLES];
  int arrived[WAYS], turns[WAYS], all = 1;
  for (int way = 0; way < WAYS; way++) {
    arrived[way] = arrives(way);
    all = all && arrived[way];
    turns[way] = agreed_turns(one_way(way, 8));
  }
  for (int sample = 0; sample < samples; sample++)
    for (int way = 0; way < WAYS; way++) ns[way][sample] = one_way(way, turns[way]);
  for (int way = 0; me == 0 && way < WAYS; way++) {
    printf("%d", arrived[way]);
    for (int i = 0; i < samples; i++) printf(" %.1f", ns[way][i]);
    printf("\n");
  }
  return all;
}

int main(int argc, char **argv) {
  run = argc == 4 ? atol(argv[1]) : 0;
  total = argc == 4 ? atol(argv[2]) : 0;
  const int samples = argc == 4 ? atoi(argv[3]) : 0;
  if (run < 1 || total < run || total % run != 0 || RING_BYTES % run != 0 || samples < 1 || samples > MOST_SAMPLES)
    return 2;
  shared = shared_bytes(sizeof *shared);
  for (int i = 0; i < 2; i++) mapped[i] = shared_bytes(2 * (size_t)total);
  const pid_t child = fork();
  me = child == 0;
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  place();
  const int arrived = measure(samples);
  if (child == 0) return arrived ? 0 : 3;
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}
