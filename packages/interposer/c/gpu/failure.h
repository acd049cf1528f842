/* What the driver refuses, told to the program: one line on standard error, and a class of the MPI's. */
#ifndef STOWAGE_GPU_FAILURE_H
#define STOWAGE_GPU_FAILURE_H

#include <mpi.h>

/* Tells a result of the driver in one line, and gives its class. */
int gpu_failed(const char *what, int result);
/* Tells in one line that memory of a message under way is gone, and gives the class. */
int gpu_is_gone(void);

#endif
