/* Packs and unpacks by code that was loaded while SIGPROF comes, and asks libgcc for the stack each time: loaded NAME
 * takes the file NAME.LEVEL.stowage for this processor's level. Of 200 samples that hit the code all must reach main.
 * Prints how many did, and how many of 1000 kernels' code is known to the unwinder while they are loaded, and behind.
 * Exits when 200 samples have been taken. */
#define _GNU_SOURCE
#include "../../../../runtime/stowage.c"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unwind.h>

enum { SAMPLES = 200, KERNELS = 1000, COUNT = 8 };

/* What libgcc's unwinder looks a place in code up in: unwind-dw2-fde.h. */
struct bases {
  void *tbase, *dbase, *func;
};
const void *_Unwind_Find_FDE(void *, struct bases *);

static stowage_kernel *kernel;
static volatile int ours, reached;
int main(int argc, char **argv);

static int is_code(uintptr_t place) {
  const uintptr_t start = (uintptr_t)kernel->code;
  return place >= start && place < start + kernel->mapped;
}

static int is_known(const stowage_kernel *loaded) {
  struct bases bases;
  return _Unwind_Find_FDE((unsigned char *)loaded->moves[0].entry + 1, &bases) != NULL;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *found) {
  if (_Unwind_GetRegionStart(context) != (uintptr_t)main) return _URC_NO_REASON;
  *(int *)found = 1;
  return _URC_END_OF_STACK;
}

static void sample(int number, siginfo_t *info, void *state) {
  const ucontext_t *context = state;
  int found = 0;
  (void)number, (void)info;
  if (ours == SAMPLES || !is_code((uintptr_t)context->uc_mcontext.gregs[REG_RIP])) return;
  _Unwind_Backtrace(look, &found);
  ours++;
  reached += found;
}

static int known_of(stowage_kernel *const *kernels) {
  int known = 0;
  for (int i = 0; i < KERNELS; i++) known += is_known(kernels[i]);
  return known;
}

/* Of code that was there, and has gone. */
static void count_known(const char *path) {
  static stowage_kernel *kernels[KERNELS];
  static unsigned char *places[KERNELS];
  struct bases bases;
  int behind = 0;
  for (int i = 0; i < KERNELS; i++) {
    if (stowage_load_file(path, &kernels[i]) != STOWAGE_OK) exit(2);
    memcpy(&places[i], &kernels[i]->moves[0].entry, sizeof places[i]);
  }
  const int known = known_of(kernels);
  for (int i = 0; i < KERNELS; i++) stowage_unload(kernels[i]);
  for (int i = 0; i < KERNELS; i++) behind += _Unwind_Find_FDE(places[i] + 1, &bases) != NULL;
  printf("%d known, %d behind\n", known, behind);
}

int main(int argc, char **argv) {
  char path[4096];
  if (argc != 2) return 2;
  snprintf(path, sizeof path, "%s.%s.stowage", argv[1], stowage_level());
  if (stowage_load_file(path, &kernel) != STOWAGE_OK) return 2;
  const struct sigaction action = {.sa_sigaction = sample, .sa_flags = SA_SIGINFO | SA_RESTART};
  const struct itimerval timer = {{0, 1000}, {0, 1000}};
  const int64_t size = COUNT * kernel->moves[0].facts.size;
  const struct stowage_bounds bounds = kernel->moves[0].facts.source;
  char *memory = calloc(COUNT, (size_t)bounds.extent), *packed = malloc((size_t)size);
  if (memory == NULL || packed == NULL) return 2;
  sigaction(SIGPROF, &action, NULL);
  setitimer(ITIMER_PROF, &timer, NULL);
  while (ours < SAMPLES) {
    stowage_run(kernel, 0, memory, packed, COUNT, 0, size);
    stowage_run(kernel, 1, packed, memory, COUNT, 3, size - 7);
  }
  setitimer(ITIMER_PROF, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
  printf("%d of %d reached main\n", reached, ours);
  count_known(path);
  stowage_unload(kernel);
  return 0;
}
