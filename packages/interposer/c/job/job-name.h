/* What this host's processes of one job, of one user, call it: no other job that runs or ran here has the name. */
#ifndef STOWAGE_JOB_NAME_H
#define STOWAGE_JOB_NAME_H

#include <stddef.h>

/* By what the job's launcher has made on this host: a folder, or itself. 0: no launcher says which job it is, as that
 * of PMI-1 does not of spawned processes, or there is no room. In MPI_Init or behind it. */
int job_name(char *name, size_t room);

#endif
