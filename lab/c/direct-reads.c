/* Ways of a message's elements from one process to another of its host: direct-reads RUN TOTAL SAMPLES there|both. Two
 * processes, each on a core of its own, send each other TOTAL bytes in runs of RUN bytes with gaps as long, there and
 * back, or both at once what they have just written: by pieces that one packs into shared memory and the other unpacks,
 * as the interposer's are; by process_vm_readv from layout to layout; by copies from layout to layout out of memory
 * that both map. In each sample the ways take turns; each line printed has one way's times in nanoseconds, of a message
 * one way or of an exchange, behind whether the bytes arrived. Ends with 1 where they did not at the other process. */
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

enum { PIECES, READ, MAPPED, WAYS, MOST_SAMPLES = 64, RUNS_OF_CALL = 1024, SAMPLE_NS = 1000000 };
/* Of one message at a time the places of so many bytes are used again. */
enum { TURN_BYTES = 256 << 10, LEAST_PIECE = 4 << 10, MOST_PIECE = 16 << 10, LINE = 64 };

/* What one process has sent and the other has taken, in bytes since the start. */
struct channel {
  _Alignas(128) atomic_long sent;
  _Alignas(128) atomic_long taken;
};

struct shared {
  struct channel channels[2];
  atomic_int turns, meetings[2];
  pid_t processes[2];
  char *layouts[2];
};

static struct shared *shared;
static char *mapped[2], *places[2], *private_layout;
static long run, total, place_bytes;
static int me, are_both, meetings;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static long smaller(long a, long b) { return a < b ? a : b; }

static void wait_for(const atomic_long *bytes, long least) {
  while (atomic_load_explicit(bytes, memory_order_acquire) < least) __builtin_ia32_pause();
}
static void tell(atomic_long *bytes, long now_are) { atomic_store_explicit(bytes, now_are, memory_order_release); }

/* An eighth of the message, as the interposer's pieces are. */
static long piece_bytes(void) {
  const long eighth = total / 8 > LEAST_PIECE ? total / 8 : LEAST_PIECE;
  return smaller(smaller(eighth, MOST_PIECE), total);
}

/* Packed bytes [first, first + bytes) of a layout and a place of theirs, run by run. */
static void pack(const char *layout, long first, char *place, long bytes) {
  for (long at = first, length; at < first + bytes; at += length) {
    length = smaller(run - at % run, first + bytes - at);
    memcpy(place + at - first, layout + at + at / run * run, (size_t)length);
  }
}
static void unpack(char *layout, long first, const char *place, long bytes) {
  for (long at = first, length; at < first + bytes; at += length) {
    length = smaller(run - at % run, first + bytes - at);
    memcpy(layout + at + at / run * run, place + at - first, (size_t)length);
  }
}

static void send_by_pieces(const char *layout) {
  struct channel *channel = &shared->channels[me];
  const long before = channel->sent;
  for (long first = 0; first < total; first += piece_bytes()) {
    const long bytes = smaller(piece_bytes(), total - first);
    wait_for(&channel->taken, before + first + bytes - place_bytes);
    pack(layout, first, places[me] + (before + first) % place_bytes, bytes);
    tell(&channel->sent, before + first + bytes);
  }
}

static void receive_by_pieces(char *layout) {
  struct channel *channel = &shared->channels[1 - me];
  const long before = channel->taken;
  for (long first = 0; first < total; first += piece_bytes()) {
    const long bytes = smaller(piece_bytes(), total - first);
    wait_for(&channel->sent, before + first + bytes);
    unpack(layout, first, places[1 - me] + (before + first) % place_bytes, bytes);
    tell(&channel->taken, before + first + bytes);
  }
}

/* The other two: the sender says that its elements may be read, and waits until they are. */
static void offer(void) {
  struct channel *channel = &shared->channels[me];
  tell(&channel->sent, channel->sent + total);
}
static void await_taken(void) { wait_for(&shared->channels[me].taken, shared->channels[me].sent); }

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
  tell(&channel->taken, after);
}

/* What is received both at once has memory of its own, which may be private. */
static char *layout_of(int way) { return way == MAPPED ? mapped[me] : private_layout; }
static char *received_of(int way) { return are_both ? private_layout + 2 * total : layout_of(way); }

static void begin_sending(int way) { way == PIECES ? send_by_pieces(layout_of(way)) : offer(); }
static void end_sending(int way) {
  if (way != PIECES) await_taken();
}
static void send_by(int way) {
  begin_sending(way);
  end_sending(way);
}

static void receive_by(int way) { way == PIECES ? receive_by_pieces(received_of(way)) : take(way, received_of(way)); }

static void there_and_back(int way) {
  if (me == 0) send_by(way);
  receive_by(way);
  if (me == 1) send_by(way);
}

static void exchange(int way) {
  begin_sending(way);
  receive_by(way);
  end_sending(way);
}

static void meet(void) {
  const int turn = ++meetings;
  atomic_store_explicit(&shared->meetings[me], turn, memory_order_release);
  while (atomic_load_explicit(&shared->meetings[1 - me], memory_order_acquire) < turn) __builtin_ia32_pause();
}

/* As a program does that has new elements to send each time: their lines are this processor's again. */
static void write_elements(char *layout) {
  for (long at = 0; at < total; at += LINE) layout[at + at / run * run]++;
}

static double exchange_apart(int way) {
  write_elements(layout_of(way));
  meet();
  const double start = now();
  exchange(way);
  return now() - start;
}

static double exchanges(int way, int times) {
  double spent = 0;
  for (int i = 0; i < times; i++) spent += exchange_apart(way);
  return spent / times;
}

static double turns_there_and_back(int way, int times) {
  const double start = now();
  for (int i = 0; i < times; i++) there_and_back(way);
  return (now() - start) / (2.0 * times);
}

static double one_way(int way, int times) {
  return are_both ? exchanges(way, times) : turns_there_and_back(way, times);
}

static char sent_at(int process, int way, long place) { return (char)(place * 131 + way + 7 * process); }

static void fill(int way) {
  for (long at = 0; at < 2 * total; at++) {
    layout_of(way)[at] = sent_at(me, way, at);
    if (are_both) received_of(way)[at] = 0;
  }
}

/* Both have what the other sent; there and back, what they sent themselves. */
static int arrives(int way) {
  fill(way);
  const int from = are_both ? 1 - me : 0;
  if (are_both) exchange(way);
  else if (me == 0) {
    send_by(way);
    memset(layout_of(way), 0, 2 * (size_t)total);
    receive_by(way);
  } else {
    memset(layout_of(way), 0, 2 * (size_t)total);
    receive_by(way);
    send_by(way);
  }
  for (long at = 0; at < total; at++) {
    const long place = at / run * 2 * run + at % run;
    if (received_of(way)[place] != sent_at(from, way, place)) return 0;
  }
  return 1;
}

/* Process 0 says how many messages a sample has. */
static int agreed_turns(double once) {
  if (me == 0) shared->turns = (int)(SAMPLE_NS / once) + 1;
  (void)one_way(PIECES, 1);
  return shared->turns;
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
  private_layout = aligned_alloc(4096, 4 * (size_t)total);
  if (private_layout == NULL) exit(2);
  memset(private_layout, 0, 4 * (size_t)total);
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
  if (argc != 5) return 2;
  run = atol(argv[1]);
  total = atol(argv[2]);
  are_both = strcmp(argv[4], "both") == 0;
  const int samples = atoi(argv[3]);
  if (run < 1 || total < run || total % run != 0 || total % piece_bytes() != 0 || samples < 1 || samples > MOST_SAMPLES)
    return 2;
  place_bytes = are_both || total < TURN_BYTES ? total : TURN_BYTES;
  shared = shared_bytes(sizeof *shared);
  for (int i = 0; i < 2; i++) {
    mapped[i] = shared_bytes(2 * (size_t)total);
    places[i] = shared_bytes((size_t)place_bytes);
  }
  const pid_t child = fork();
  me = child == 0;
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  place();
  const int arrived = measure(samples);
  if (child == 0) return arrived ? 0 : 3;
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}
