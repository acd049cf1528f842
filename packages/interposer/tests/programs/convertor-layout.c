/* What this Open MPI's own headers say of its convertor, and what our table says: a line each, NAME THEIRS OURS. */
#include "convertor-layout.h"

#include <mpi.h>

#include <opal_config.h>

#include <opal/datatype/opal_convertor.h>
#include <stdio.h>

#define FIELD(ours, theirs) printf(#ours " %zu %u\n", offsetof(opal_convertor_t, theirs), convertor_layout->ours)
#define FLAG(ours, theirs) printf(#ours " %u %u\n", (unsigned)(theirs), convertor_layout->ours)

int main(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(text, &length); /* so that the program is linked with the MPI */
  if (!convertor_layout_find()) return 1;
  FIELD(flags, flags);
  FIELD(local_size, local_size);
  FIELD(remote_size, remote_size);
  FIELD(datatype, pDesc);
  FIELD(count, count);
  FIELD(user, pBaseBuf);
  FIELD(stack_size, stack_size);
  FIELD(stack, pStack);
  FIELD(advance, fAdvance);
  FIELD(partial_length, partial_length);
  FIELD(converted, bConverted);
  FIELD(room, static_stack);
  printf("length-of-room %zu %u\n", sizeof((opal_convertor_t *)0)->static_stack, CONVERTOR_ROOM);
  FLAG(send, CONVERTOR_SEND);
  FLAG(homogeneous, CONVERTOR_HOMOGENEOUS);
  FLAG(no_op, CONVERTOR_NO_OP);
  FLAG(completed, CONVERTOR_COMPLETED);
#if defined(CONVERTOR_UNSAFE_SPLIT)
  FIELD(place, fPosition);
  FLAG(not_ours,
       CONVERTOR_UNSAFE_SPLIT | CONVERTOR_ACCELERATOR | CONVERTOR_ACCELERATOR_ASYNC | CONVERTOR_ACCELERATOR_UNIFIED);
#elif defined(CONVERTOR_ACCELERATOR)
  FLAG(not_ours,
       CONVERTOR_WITH_CHECKSUM | CONVERTOR_ACCELERATOR | CONVERTOR_ACCELERATOR_ASYNC | CONVERTOR_ACCELERATOR_UNIFIED);
#else
  FLAG(not_ours, CONVERTOR_WITH_CHECKSUM | CONVERTOR_CUDA | CONVERTOR_CUDA_ASYNC | CONVERTOR_CUDA_UNIFIED);
#endif
  return 0;
}
