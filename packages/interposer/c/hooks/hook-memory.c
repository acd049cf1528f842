/* Memory of the MPI's: where messages may go past it, memory that the receivers of what lies there read (host/heap.h).
 */
#include <mpi.h>

#include "heap.h"
#include "hook.h"
#include "predefined.h"

/* What the program asks of the memory besides its length is the MPI's to give. */
HOOKED(Alloc_mem, (MPI_Aint bytes, MPI_Info info, void *memory), (bytes, info, memory)) {
  void *ours = info == PREDEFINED_NO_INFO && bytes > 0 ? heap_take((size_t)bytes) : NULL;
  if (ours == NULL) return next(bytes, info, memory);
  *(void **)memory = ours;
  return MPI_SUCCESS;
}

HOOKED(Free_mem, (void *memory), (memory)) { return heap_give_back(memory) ? MPI_SUCCESS : next(memory); }
