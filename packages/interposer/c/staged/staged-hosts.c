#include "staged-hosts.h"

#include "next.h"
#include "predefined.h"
#include "job-ranks.h"

#include <stdlib.h>

/* By rank in MPI_COMM_WORLD; NULL: all are on this host. */
static unsigned char *is_here;
static int ranks;

void staged_hosts_learn(MPI_Comm host) {
  int here = 0;
  NEXT(PMPI_Comm_size)(PREDEFINED_WORLD, &ranks);
  NEXT(PMPI_Comm_size)(host, &here);
  if (here == ranks || (is_here = calloc((size_t)ranks, 1)) == NULL) return;
  for (int i = 0; i < here; i++) {
    const int rank = job_rank_of(host, i);
    if (rank >= 0 && rank < ranks) is_here[rank] = 1;
  }
}

enum staged_host staged_host_of(MPI_Comm communicator, int peer) {
  if (is_here == NULL) return SAME_HOST;
  const int rank = peer < 0 ? -1 : job_rank_of(communicator, peer);
  if (rank < 0 || rank >= ranks) return ANY_HOST;
  return is_here[rank] ? SAME_HOST : OTHER_HOST;
}
