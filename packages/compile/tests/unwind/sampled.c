/* Packs and unpacks in a loop while SIGPROF comes, and asks glibc for the stack each time. Of 200 samples that hit our
 * code, which lies in a shared object, all must reach main. Prints how many did; exits when 200 have been taken. */
#define _GNU_SOURCE
#include "sampled.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { SAMPLES = 200, DEEPEST = 64 };

static volatile int ours, reached;

static int lies_in(void *address, const char *file, const char *function) {
  Dl_info info;
  if (!dladdr(address, &info) || strstr(info.dli_fname, file) == NULL) return 0;
  return function == NULL || (info.dli_sname != NULL && strcmp(info.dli_sname, function) == 0);
}

static void sample(int signal, siginfo_t *info, void *state) {
  (void)signal, (void)info;
  const ucontext_t *context = state;
  void *frames[DEEPEST];
  if (ours == SAMPLES || !lies_in((void *)context->uc_mcontext.gregs[REG_RIP], "libsampled.so", NULL)) return;
  const int depth = backtrace(frames, DEEPEST);
  ours++;
  for (int i = 0; i < depth; i++)
    if (lies_in(frames[i], "sampled", "main")) {
      reached++;
      return;
    }
}

int main(void) {
  void *frames[1];
  /* It loads the unwinder, which no handler should. */
  backtrace(frames, 1);
  struct sigaction action = {.sa_sigaction = sample, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGPROF, &action, NULL);
  const struct itimerval timer = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &timer, NULL);
  const int64_t count = 8;
  char *memory = calloc((size_t)count, face_extent), *packed = malloc((size_t)(count * face_size));
  if (!memory || !packed) return 2;
  while (ours < SAMPLES) {
    face_pack(memory, packed, count, 0, count * face_size);
    face_unpack(packed + 3, memory, count, 3, count * face_size - 7);
  }
  printf("%d of %d reached main\n", reached, ours);
  return 0;
}
