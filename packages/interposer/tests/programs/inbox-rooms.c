/* Rooms of one inbox (host/inbox.h), which threads claim and release at once: inbox-rooms ROUNDS. Each thread writes
 * all of its rooms, and looks later whether they are as it left them. Prints how many rooms there were, how many were
 * not theirs alone, how many bytes' worth of 8 KiB rooms came before the first one again, how many of the longest fit
 * at once, and how many chunks are claimed at last. */
#include "inbox.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, HELD = 6, SHORT = 8 << 10 };

static struct inbox *inbox;
static struct inbox_use use;
static long rounds;
static atomic_long claimed, wrong;

struct room {
  int chunk;
  size_t bytes;
  unsigned char with;
};

static size_t drawn(unsigned *seed) {
  const int kind = rand_r(seed) % 8;
  const size_t most = kind == 0 ? (size_t)2 << 20 : kind < 4 ? (size_t)300 << 10 : (size_t)16 << 10;
  return 1 + (size_t)rand_r(seed) % most;
}

static void fill(const struct room *r) { memset(inbox_at(inbox, r->chunk)->bytes, r->with, r->bytes); }

static int is_whole(const struct room *r) {
  const unsigned char *bytes = inbox_at(inbox, r->chunk)->bytes;
  return bytes[0] == r->with && memcmp(bytes, bytes + 1, r->bytes - 1) == 0;
}

static void *claims(void *number) {
  unsigned seed = (unsigned)(size_t)number;
  struct room held[HELD] = {{0}};
  for (long i = 0; i < rounds; i++) {
    struct room *r = &held[i % HELD];
    if (r->bytes > 0) {
      wrong += !is_whole(r);
      inbox_release(inbox, r->chunk, r->bytes);
    }
    *r = (struct room){.bytes = drawn(&seed), .with = (unsigned char)(seed + (unsigned)i)};
    if ((r->chunk = inbox_claim(inbox, r->bytes, &use)) < 0) r->bytes = 0;
    else claimed++, fill(r);
  }
  for (int i = 0; i < HELD; i++)
    if (held[i].bytes > 0) inbox_release(inbox, held[i].chunk, held[i].bytes);
  return NULL;
}

static size_t bytes_of_a_turn(void) {
  int first = -1;
  for (size_t bytes = 0;; bytes += SHORT) {
    const int chunk = inbox_claim(inbox, SHORT, &use);
    inbox_release(inbox, chunk, SHORT);
    if (chunk == first) return bytes;
    if (first < 0) first = chunk;
  }
}

/* And none that is longer. */
static int longest_at_once(void) {
  int count = 0, chunk;
  if (inbox_claim(inbox, INBOX_MOST_BYTES + 1, &use) >= 0 || inbox_claim(inbox, 0, &use) >= 0) return -1;
  while (count < 2 && (chunk = inbox_claim(inbox, INBOX_MOST_BYTES, &use)) >= 0) count++;
  if (count > 0) inbox_release(inbox, 0, INBOX_MOST_BYTES);
  return count;
}

static int chunks_left(void) {
  int left = 0;
  for (int i = 0; i < INBOX_CHUNKS / 64; i++) left += __builtin_popcountll(inbox->claimed[i]);
  return left;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  rounds = argc > 1 ? atol(argv[1]) : 0;
  if (!inbox_make() || (inbox = inbox_open(getpid(), &use)) == NULL) return 2;
  const size_t turn = bytes_of_a_turn();
  for (size_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, claims, (void *)(i + 1)) != 0) return 2;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  const int longest = longest_at_once();
  printf("%ld %ld %zu %d %d\n", (long)claimed, (long)wrong, turn, longest, chunks_left());
  return 0;
}
