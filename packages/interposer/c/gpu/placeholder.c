#include "placeholder.h"

#include "handle-table.h"
#include "hook.h"
#include "predefined.h"

#include <stdlib.h>

size_t placeholder_types = 0;
/* By size and by handle; made once, never freed, for messages may be under way. */
static struct handle_table by_size = HANDLE_TABLE_EMPTY, by_handle = HANDLE_TABLE_EMPTY;

void (*placeholder_committed)(MPI_Datatype) = NULL;

/* As a call of the program's, for what the MPI then makes of it. */
static int commit(MPI_Datatype *type) {
  const int status = BEHIND(NEXT(PMPI_Type_commit)(type));
  if (status == MPI_SUCCESS && placeholder_committed != NULL) placeholder_committed(*type);
  return status;
}

enum { MOST_BLOCK = 1 << 30, MOST_BLOCKS = 64 };

/* A gap before its last byte: the MPI must ask for it. Lengths of blocks are int. */
static int make(size_t bytes, MPI_Datatype *type) {
  int lengths[MOST_BLOCKS], count = 0;
  MPI_Aint places[MOST_BLOCKS];
  size_t at = 0;
  for (; at < bytes - 1 && count < MOST_BLOCKS - 1; count++) {
    const size_t left = bytes - 1 - at;
    places[count] = (MPI_Aint)at;
    lengths[count] = (int)(left < MOST_BLOCK ? left : MOST_BLOCK);
    at += (size_t)lengths[count];
  }
  places[count] = (MPI_Aint)bytes;
  lengths[count] = 1;
  if (at < bytes - 1) return 0;
  return NEXT(PMPI_Type_create_hindexed)(count + 1, lengths, places, PREDEFINED_BYTE, type) == MPI_SUCCESS &&
         commit(type) == MPI_SUCCESS;
}

int placeholder_type(size_t bytes, MPI_Datatype *type) {
  MPI_Datatype *known = handle_find(&by_size, bytes);
  if (bytes < PLACEHOLDER_LEAST_BYTES) return 0;
  if (known == NULL) {
    if ((known = malloc(sizeof *known)) == NULL) return 0;
    if (!make(bytes, known) || !handle_put(&by_handle, (uintptr_t)*known, known) ||
        !handle_put(&by_size, bytes, known)) {
      free(known);
      return 0;
    }
    __atomic_fetch_add(&placeholder_types, 1, __ATOMIC_RELEASE);
  }
  *type = *known;
  return 1;
}

int placeholder_is(MPI_Datatype type) { return handle_find(&by_handle, (uintptr_t)type) != NULL; }
