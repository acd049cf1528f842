/* Starts of persistent requests of the host: sends may go past the MPI each time (host-persistent.h), and both sides'
 * messages are tried, where that is measured (timed.h). */
#ifndef STOWAGE_STARTS_H
#define STOWAGE_STARTS_H

#include "host-persistent.h"
#include "sent-past.h"
#include "timed.h"

struct started {
  /* A send that may go past the MPI, and whether it does now; else NULL. */
  struct host_send *send;
  int goes_past;
  /* What goes on when it has started, such as its trial; NULL: nothing does. */
  struct operation *operation;
};

/* The MPI has made a receive's request, by a status, which is returned: its starts may be tried. */
int starts_of_receive(const struct call *call, int status, const MPI_Request *request);
/* Before the MPI starts a request. 0: it is none of which anything is to be done. */
int start_of(MPI_Request request, struct started *now);
/* Behind that, by the MPI's status, which is returned. */
int start_goes_on(struct started *now, int status, MPI_Request request);
/* The program gives a request back. */
void starts_end(MPI_Request request);

#endif
