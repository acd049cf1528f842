/* Put ahead of each file of a library: PLANTED names a fault that it then has, for a sanitizer to find. */
#define _GNU_SOURCE 1
#include <limits.h>
/* A system's call by this name is declared with threads; files of the library may have a function of it. */
#define clone system_clone
#include <pthread.h>
#undef clone
#include <stdlib.h>
#include <string.h>

static int planted_word;

static void *planted_write(void *to) { return *(volatile int *)to += 1, NULL; }

__attribute__((constructor)) static void planted(void) {
  const char *fault = getenv("PLANTED");
  pthread_t thread;
  if (fault == NULL) return;
  if (strcmp(fault, "leak") == 0) *(char *volatile *)&(char *){NULL} = malloc(1000);
  if (strcmp(fault, "bounds") == 0) ((volatile char *)malloc(8))[8] = 1;
  if (strcmp(fault, "undefined") == 0) planted_word = INT_MAX, planted_word += (int)strlen(fault);
  if (strcmp(fault, "race") == 0 && pthread_create(&thread, NULL, planted_write, &planted_word) == 0) {
    planted_write(&planted_word);
    pthread_join(thread, NULL);
  }
}
