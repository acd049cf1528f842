#include "representation.h"

#include "handle-table.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>

/* Files with another representation. */
static struct handle_table others = HANDLE_TABLE_EMPTY;

void representation_set(MPI_File file, const char *name) {
  if (strcmp(name, "native") == 0) representation_forget(file);
  else if (!handle_put(&others, (uintptr_t)file, &others)) end_without_memory("a file's representation");
}

void representation_forget(MPI_File file) { handle_drop(&others, (uintptr_t)file); }

int representation_is_native(MPI_File file) { return handle_find(&others, (uintptr_t)file) == NULL; }
