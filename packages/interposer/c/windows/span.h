/* Gets of elements with gaps at a target whose memory this process has not: all bytes from the first to the last, gaps
 * as well, come in one run into memory of ours, and the elements are taken from there.
 *
 * Only where the MPI by itself would go run by run (Open MPI's osc/rdma), and where the memory of a window is of the
 * unified model (MPI 4.1, section 12.4): others may be writing what lies in the gaps, which is read and dropped. */
#ifndef STOWAGE_SPAN_H
#define STOWAGE_SPAN_H

#include "elements.h"
#include "transfer.h"

struct span {
  /* At the target, by their offset from the first byte. */
  struct elements elements;
  MPI_Aint first;
  /* From the first to the last; 0: the call takes no span. */
  size_t bytes;
  /* All of them, as one element of the target's window. */
  MPI_Datatype type;
};

/* Whether a get is for this file, of which `own` are the elements at the origin: finds their code, and makes the type.
 */
int span_begin(struct span *, const struct transfer_call *, struct elements *own);
/* What came into memory, as the target's elements. */
struct elements span_elements(const struct span *, void *memory);
void span_free(struct span *);

#endif
