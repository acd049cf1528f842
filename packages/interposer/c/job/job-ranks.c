#include <mpi.h>

#include "job-ranks.h"

#include "next.h"
#include "predefined.h"

#include <pthread.h>
#include <stdlib.h>

static int attribute = MPI_KEYVAL_INVALID;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static int keep_ranks(MPI_Comm from, int key, void *extra, void *known, void *copy, int *has_copy) {
  (void)from, (void)key, (void)extra, (void)known, (void)copy;
  *has_copy = 0;
  return MPI_SUCCESS;
}

static int forget_ranks(MPI_Comm communicator, int key, void *known, void *extra) {
  (void)communicator, (void)key, (void)extra;
  free(known);
  return MPI_SUCCESS;
}

static int has_key(void) {
  pthread_mutex_lock(&making);
  const int has = attribute != MPI_KEYVAL_INVALID ||
                  NEXT(PMPI_Comm_create_keyval)(keep_ranks, forget_ranks, &attribute, NULL) == MPI_SUCCESS;
  pthread_mutex_unlock(&making);
  return has;
}

void job_ranks_end(void) {
  if (attribute != MPI_KEYVAL_INVALID) NEXT(PMPI_Comm_free_keyval)(&attribute);
}

struct known_ranks {
  int count, ranks[];
};

static int group_of(MPI_Comm communicator, MPI_Group *group) {
  int is_inter = 0;
  NEXT(PMPI_Comm_test_inter)(communicator, &is_inter);
  return (is_inter ? NEXT(PMPI_Comm_remote_group) : NEXT(PMPI_Comm_group))(communicator, group);
}

static struct known_ranks *translated(MPI_Comm communicator) {
  MPI_Group group, world;
  int count = 0;
  if (group_of(communicator, &group) != MPI_SUCCESS) return NULL;
  NEXT(PMPI_Comm_group)(PREDEFINED_WORLD, &world);
  NEXT(PMPI_Group_size)(group, &count);
  struct known_ranks *known = malloc(sizeof *known + (size_t)count * sizeof known->ranks[0]);
  int *own = malloc(((size_t)count + 1) * sizeof *own);
  if (known != NULL && own != NULL) {
    known->count = count;
    for (int i = 0; i < count; i++) own[i] = i;
    NEXT(PMPI_Group_translate_ranks)(group, count, own, world, known->ranks);
  } else {
    free(known);
    known = NULL;
  }
  free(own);
  NEXT(PMPI_Group_free)(&group);
  NEXT(PMPI_Group_free)(&world);
  return known;
}

static struct known_ranks *kept(MPI_Comm communicator) {
  struct known_ranks *known = NULL;
  int has = 0;
  return NEXT(PMPI_Comm_get_attr)(communicator, attribute, &known, &has) == MPI_SUCCESS && has ? known : NULL;
}

static struct known_ranks *made(MPI_Comm communicator) {
  struct known_ranks *known = translated(communicator);
  if (known == NULL || NEXT(PMPI_Comm_set_attr)(communicator, attribute, known) == MPI_SUCCESS) return known;
  return free(known), NULL;
}

/* Kept with the communicator, which may be freed and its handle given away again; set once, for another thread may
 * read it. */
static const struct known_ranks *ranks_of(MPI_Comm communicator) {
  static pthread_mutex_t translating = PTHREAD_MUTEX_INITIALIZER;
  const struct known_ranks *known;
  if (!has_key()) return NULL;
  if ((known = kept(communicator)) != NULL) return known;
  pthread_mutex_lock(&translating);
  if ((known = kept(communicator)) == NULL) known = made(communicator);
  pthread_mutex_unlock(&translating);
  return known;
}

int job_rank_of(MPI_Comm communicator, int rank) {
  const struct known_ranks *known = ranks_of(communicator);
  return known != NULL && rank >= 0 && rank < known->count ? known->ranks[rank] : -1;
}
