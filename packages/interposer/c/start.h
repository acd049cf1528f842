/* Our beginning, when MPI_Init has succeeded, and our end, when MPI_Finalize is called. */
#ifndef STOWAGE_START_H
#define STOWAGE_START_H

void start(void);
void stop(void);

#endif
