/* For the recorder (c/calls), a library of its own that times the program's calls: whose time it is. */
#include <mpi.h>

#include "exported.h"
#include "record.h"
#include "types.h"

/* What to say the time of a handle's messages of; NULL: the MPI's own types together, and types of which nothing is
 * known. */
HIDDEN void *hook_stowage_interposer_entry(MPI_Datatype type) {
  struct type_code code = {0};
  types_find(type, &code);
  return code.entry;
}

HIDDEN void hook_stowage_interposer_spent(void *entry, int unpacks, int64_t messages, int64_t bytes, int64_t ns) {
  record_called(entry, unpacks ? STOWAGE_UNPACK : STOWAGE_PACK, messages, bytes, ns);
}
