#include <mpi.h>

#include "under-way.h"

_Thread_local struct host_send *host_sending = NULL;
int under_way_is_shared = 0;

static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER;
static struct host_send *first;

static void put(struct host_send *send) {
  pthread_mutex_init(&send->packing, NULL);
  pthread_mutex_lock(&listing);
  send->next = first;
  first = send;
  pthread_mutex_unlock(&listing);
}

static void drop(struct host_send *send) {
  pthread_mutex_lock(&listing);
  struct host_send **at = &first;
  while (*at != send) at = &(*at)->next;
  *at = send->next;
  pthread_mutex_unlock(&listing);
  pthread_mutex_destroy(&send->packing);
}

void under_way_enter(struct host_send *send) {
  if (under_way_is_shared) put(send);
  host_sending = send;
}

void under_way_leave(struct host_send *send) {
  host_sending = NULL;
  if (under_way_is_shared) drop(send);
}

static void each_of_all(void (*use)(struct host_send *)) {
  pthread_mutex_lock(&listing);
  for (struct host_send *send = first; send != NULL; send = send->next) use(send);
  pthread_mutex_unlock(&listing);
}

void under_way_each(void (*use)(struct host_send *)) {
  if (under_way_is_shared) each_of_all(use);
  else if (host_sending != NULL) use(host_sending);
}

static int of_all(uint64_t number, void (*use)(struct host_send *)) {
  pthread_mutex_lock(&listing);
  struct host_send *send = first;
  while (send != NULL && send->number != number) send = send->next;
  if (send != NULL) use(send);
  pthread_mutex_unlock(&listing);
  return send != NULL;
}

int under_way_of(uint64_t number, void (*use)(struct host_send *)) {
  if (under_way_is_shared) return of_all(number, use);
  if (host_sending == NULL || host_sending->number != number) return 0;
  use(host_sending);
  return 1;
}
