/* Messages between two cores as an MPI's shared memory takes them: between-cores COUNT SAMPLES ARTIFACT... Two threads,
 * each on a core of its own, send each other COUNT elements: one packs fragments into a ring, the other unpacks them.
 * In each sample the artifacts take turns; each line printed has one's times in nanoseconds for one way, behind how
 * many messages arrived as they were sent. */
#define _GNU_SOURCE 1
#include "stowage.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As Open MPI's vader: fragments of 32 KiB, and what stands before the bytes of each. */
enum { FRAGMENT = 32768, HEADER = 40, SLOTS = 4, SAMPLE_NS = 1000000, MOST = 16 };

struct ring {
  _Alignas(64) atomic_long filled;
  _Alignas(64) atomic_long emptied;
  _Alignas(64) unsigned char slots[SLOTS][FRAGMENT + 64];
};

static struct ring rings[2];
static pthread_barrier_t both;
static stowage_kernel *kernels[MOST];
static int contenders, samples, turns[MOST], arrived[MOST];
static int64_t count, total, room;
static double ns[MOST][64];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void move(const stowage_kernel *kernel, size_t direction, unsigned char *user, unsigned char *slot,
                 int64_t first, int64_t length) {
  unsigned char *stream = slot + HEADER - first;
  if (direction == STOWAGE_PACK) stowage_run(kernel, STOWAGE_PACK, user, stream, count, first, length);
  else stowage_run(kernel, STOWAGE_UNPACK, stream, user, count, first, length);
}

static int64_t fragment_at(int64_t first) { return total - first < FRAGMENT ? total - first : FRAGMENT; }

static void send_to(struct ring *ring, const stowage_kernel *kernel, unsigned char *user) {
  for (int64_t first = 0; first < total; first += FRAGMENT) {
    const long at = ring->filled;
    while (at - ring->emptied >= SLOTS) continue;
    move(kernel, STOWAGE_PACK, user, ring->slots[at % SLOTS], first, fragment_at(first));
    ring->filled = at + 1;
  }
}

static void receive_from(struct ring *ring, const stowage_kernel *kernel, unsigned char *user) {
  for (int64_t first = 0; first < total; first += FRAGMENT) {
    const long at = ring->emptied;
    while (ring->filled <= at) continue;
    move(kernel, STOWAGE_UNPACK, user, ring->slots[at % SLOTS], first, fragment_at(first));
    ring->emptied = at + 1;
  }
}

static double one_way(long core, int which, int times, unsigned char *sent, unsigned char *received) {
  pthread_barrier_wait(&both);
  const double start = now();
  for (int i = 0; i < times; i++) {
    if (core == 0) send_to(&rings[0], kernels[which], sent);
    receive_from(&rings[1 - core], kernels[which], received);
    if (core == 1) send_to(&rings[1], kernels[which], sent);
  }
  return (now() - start) / (2.0 * times);
}

/* Whether what comes is what was sent: both threads send the same bytes, and gaps of the receiver's are zero. */
static int is_alike(int which, const unsigned char *sent, const unsigned char *received) {
  unsigned char *packed[2];
  for (int i = 0; i < 2; i++) {
    packed[i] = malloc((size_t)total);
    stowage_run(kernels[which], STOWAGE_PACK, i == 0 ? sent : received, packed[i], count, 0, total);
  }
  const int alike = memcmp(packed[0], packed[1], (size_t)total) == 0;
  for (int i = 0; i < 2; i++) free(packed[i]);
  return alike;
}

static void *run(void *argument) {
  const long core = (long)argument;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)core, &set);
  sched_setaffinity(0, sizeof set, &set);
  unsigned char *sent = aligned_alloc(4096, (size_t)room), *received = aligned_alloc(4096, (size_t)room);
  for (int64_t i = 0; i < room; i++) sent[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + 7);
  for (int which = 0; which < contenders; which++) {
    memset(received, 0, (size_t)room);
    const double once = one_way(core, which, 20, sent, received);
    if (core == 0) turns[which] = (int)(SAMPLE_NS / once) + 1;
    if (core == 0) arrived[which] = is_alike(which, sent, received);
  }
  for (int sample = 0; sample < samples; sample++)
    for (int which = 0; which < contenders; which++) {
      pthread_barrier_wait(&both);
      const double time = one_way(core, which, turns[which], sent, received);
      if (core == 0) ns[which][sample] = time;
    }
  free(sent);
  free(received);
  return NULL;
}

int main(int argc, char **argv) {
  count = argc > 3 ? atoll(argv[1]) : 0;
  samples = argc > 3 ? atoi(argv[2]) : 0;
  contenders = argc - 3;
  if (count < 1 || samples < 1 || samples > 64 || contenders > MOST) return 2;
  for (int i = 0; i < contenders; i++)
    if (stowage_load_file(argv[3 + i], &kernels[i]) != STOWAGE_OK) return 2;
  const struct stowage_move *pack = stowage_move_at(kernels[0], STOWAGE_PACK);
  total = pack->size * count;
  room = (pack->source.extent * count + 4095) / 4096 * 4096;
  pthread_barrier_init(&both, NULL, 2);
  pthread_t other;
  pthread_create(&other, NULL, run, (void *)1L);
  run((void *)0L);
  pthread_join(other, NULL);
  for (int which = 0; which < contenders; which++) {
    printf("%d", arrived[which]);
    for (int i = 0; i < samples; i++) printf(" %.1f", ns[which][i]);
    printf("\n");
  }
  return 0;
}
