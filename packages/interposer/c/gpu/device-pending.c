#define _GNU_SOURCE 1
#include "device-pending.h"

#include "device-direct.h"

#include <pthread.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { AT_A_TIME = 64 };

size_t pending_count = 0;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static struct device_buffer *waiting[AT_A_TIME];
static int timer = -1;
/* Setting it takes 10 us in virtual machines: it is set for the first that waits, and never stopped. */
static int is_set;
static int64_t first_ns, last_ns;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void set_timer(void) {
  const struct itimerspec time = {.it_value = {0, DELAY_NS}};
  is_set = timerfd_settime(timer, 0, &time, NULL) == 0;
}

/* With the queue locked. Until all are begun nobody passes pending_flush: their owners may free them behind it. */
static void begin(void) {
  if (pending_count > 0) direct_pack_pending(waiting, pending_count);
  __atomic_store_n(&pending_count, 0, __ATOMIC_RELEASE);
}

/* Each that comes in time delays the others, but not for long. */
static int are_others_to_come(void) {
  const int64_t at_ns = now_ns();
  return pending_count > 0 && at_ns - last_ns < DELAY_NS && at_ns - first_ns < MOST_DELAY_NS;
}

static void *look_at_time(void *unused) {
  uint64_t times;
  while (read(timer, &times, sizeof times) == sizeof times) {
    pthread_mutex_lock(&queue);
    is_set = 0;
    if (are_others_to_come()) set_timer();
    if (!is_set) begin();
    pthread_mutex_unlock(&queue);
  }
  return unused;
}

/* Signals are the program's. */
static int start_thread(void) {
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int result = pthread_create(&thread, NULL, look_at_time, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (result == 0) pthread_detach(thread);
  return result == 0;
}

static void start(void) {
  const int made = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  if (made < 0) return;
  timer = made;
  if (start_thread()) return;
  timer = -1;
  close(made);
}

int pending_is_possible(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  return timer >= 0;
}

void pending_add(struct device_buffer *b) {
  pthread_mutex_lock(&queue);
  last_ns = now_ns();
  if (pending_count == 0) first_ns = last_ns;
  waiting[pending_count] = b;
  __atomic_store_n(&pending_count, pending_count + 1, __ATOMIC_RELAXED);
  if (!is_set) set_timer();
  if (pending_count == AT_A_TIME || !is_set) begin();
  pthread_mutex_unlock(&queue);
}

void pending_begin(void) {
  pthread_mutex_lock(&queue);
  begin();
  pthread_mutex_unlock(&queue);
}
