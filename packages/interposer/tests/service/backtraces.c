/* A C program over libstowage, and a type whose code a compile service made: SIGPROF comes while it packs and unpacks,
 * and of 200 samples that hit the code, which lies in no file, all must reach main. Prints how many did. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unwind.h>
#include <stowage_types.h>

enum { SAMPLES = 200, ROWS = 500, COLUMNS = 11 };

static volatile int ours, reached;
int main(void);

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *found) {
  if (_Unwind_GetRegionStart(context) != (uintptr_t)main) return _URC_NO_REASON;
  *(int *)found = 1;
  return _URC_END_OF_STACK;
}

static void sample(int number, siginfo_t *info, void *state) {
  const ucontext_t *context = state;
  Dl_info file;
  int found = 0;
  (void)number, (void)info;
  if (ours == SAMPLES || dladdr((void *)context->uc_mcontext.gregs[REG_RIP], &file)) return;
  _Unwind_Backtrace(look, &found);
  ours++;
  reached += found;
}

int main(void) {
  static double matrix[ROWS][COLUMNS], packed[3 * ROWS];
  stowage_context *context = stowage_open(NULL);
  stowage_builder *builder = stowage_builder_new(STOWAGE_STANDARD);
  const stowage_node column = stowage_vector(builder, ROWS, 3, COLUMNS, stowage_named(builder, "MPI_DOUBLE"));
  stowage_type *type;
  if (stowage_commit(context, builder, column, &type) != STOWAGE_OK) return 2;
  stowage_builder_free(builder);
  if (stowage_wait_code(type, (int64_t)60 * 1000000000) != STOWAGE_OK) return 3;
  const struct sigaction action = {.sa_sigaction = sample, .sa_flags = SA_SIGINFO | SA_RESTART};
  const struct itimerval timer = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  sigaction(SIGPROF, &action, NULL);
  setitimer(ITIMER_PROF, &timer, NULL);
  while (ours < SAMPLES) {
    stowage_pack(matrix, 1, type, packed, sizeof packed);
    stowage_unpack_range(packed, 1000, type, 7, matrix, 1);
  }
  setitimer(ITIMER_PROF, &never, NULL);
  printf("%d of %d reached main\n", reached, ours);
  stowage_close(context);
  stowage_type_free(type);
  return 0;
}
