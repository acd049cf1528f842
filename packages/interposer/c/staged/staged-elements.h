/* Whether an MPI takes packed bytes into a native receive of elements (MPI 4.1, section 3.3.1, has them match where
 * both sides are as many bytes of one signature; bytes are sent here where the program sends elements). An MPI that
 * cuts a message into fragments may unpack whole basic elements of each alone. */
#ifndef STOWAGE_STAGED_ELEMENTS_H
#define STOWAGE_STAGED_ELEMENTS_H

#include <stddef.h>

/* Asks the MPI, by messages between neighbours on this host, among all and to itself, of lengths at which MPIs change
 * their protocols. Every process of MPI_COMM_WORLD calls it, inside MPI_Init; all get the same answer. NULL, or why
 * there is none. */
const char *staged_elements_ask(void);

/* Whether types whose packed stream may be cut at multiples of so many bytes (types.h) arrive whole. */
int staged_elements_arrive(size_t period_bytes);

#endif
