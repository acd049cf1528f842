#define _GNU_SOURCE 1
#include "takes-gpus.h"

#include "held-errors.h"
#include "next.h"

#include <stdlib.h>
#include <string.h>

/* MPICH's MPIX_GPU_SUPPORT_CUDA, _ZE and _HIP. */
enum { GPU_KINDS = 3 };

static int says_so(const char *name) {
  int (*query)(void) = (int (*)(void))next_function(name);
  return query != NULL && query() != 0;
}

/* MPICH 3.4 ends the process where it is asked by MPIX_Query_cuda_support, whose assertion is the wrong way round. */
static int is_told(void) {
  const char *cray = secure_getenv("MPICH_GPU_SUPPORT_ENABLED");
  int (*query)(int, int *) = (int (*)(int, int *))next_function("MPIX_GPU_query_support");
  if (cray != NULL && *cray != '\0' && strcmp(cray, "0") != 0) return 1;
  if (query == NULL) return says_so("MPIX_Query_cuda_support") || says_so("MPIX_Query_rocm_support");
  for (int kind = 0, takes = 0; kind < GPU_KINDS; kind++)
    if (query(kind, &takes) == 0 && takes) return 1;
  return 0;
}

/* An MPICH raises an error for a kind that it does not know. */
int mpi_takes_gpus(void) {
  static int known = -1;
  struct held_errors program;
  if (__atomic_load_n(&known, __ATOMIC_RELAXED) < 0) {
    hold_errors(&program);
    __atomic_store_n(&known, is_told(), __ATOMIC_RELAXED);
    let_errors_go(&program);
  }
  return known;
}
