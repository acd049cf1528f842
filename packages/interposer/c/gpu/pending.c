#define _GNU_SOURCE 1
#include "pending.h"

#include "clock.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

size_t pending_count = 0;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static struct message *waiting[MOST_PENDING];
/* The clock's thread sleeps until one waits. It has no descriptor: a program may close and reuse any. */
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static int has_clock;
static int64_t first_ns, last_ns;

static void (*begin_those)(struct message *const messages[], size_t count);

/* With the queue locked. Until all are begun nobody passes pending_flush: their owners may free them behind it. */
static void begin(void) {
  if (pending_count > 0) begin_those(waiting, pending_count);
  __atomic_store_n(&pending_count, 0, __ATOMIC_RELEASE);
}

/* Each that comes in time delays the others, but not for long. */
static int are_others_to_come(void) {
  const int64_t at_ns = now_ns();
  return pending_count > 0 && at_ns - last_ns < DELAY_NS && at_ns - first_ns < MOST_DELAY_NS;
}

static void *look_at_time(void *unused) {
  const struct timespec delay = {0, DELAY_NS};
  prctl(PR_SET_TIMERSLACK, 1000UL); /* else 50 us */
  pthread_mutex_lock(&queue);
  for (;;) {
    while (pending_count == 0) pthread_cond_wait(&came, &queue);
    pthread_mutex_unlock(&queue);
    nanosleep(&delay, NULL);
    pthread_mutex_lock(&queue);
    if (!are_others_to_come()) begin();
  }
  return unused;
}

/* Signals are the program's. */
static void start(void) {
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  has_clock = pthread_create(&thread, NULL, look_at_time, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (has_clock) pthread_detach(thread);
}

int pending_is_possible(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  return has_clock;
}

void pending_add(struct message *m, void (*begin_together)(struct message *const messages[], size_t count)) {
  pthread_mutex_lock(&queue);
  begin_those = begin_together;
  last_ns = now_ns();
  if (pending_count == 0) first_ns = last_ns;
  waiting[pending_count] = m;
  __atomic_store_n(&pending_count, pending_count + 1, __ATOMIC_RELAXED);
  if (pending_count == MOST_PENDING) begin();
  else if (pending_count == 1) pthread_cond_signal(&came);
  pthread_mutex_unlock(&queue);
}

void pending_begin(void) {
  pthread_mutex_lock(&queue);
  begin();
  pthread_mutex_unlock(&queue);
}
