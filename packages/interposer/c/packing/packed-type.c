#include "packed-type.h"

#include "handle-table.h"
#include "next.h"
#include "predefined.h"

#include <limits.h>
#include <stdlib.h>

/* By size: made once, never freed, for messages may be under way. */
static struct handle_table packed_types = HANDLE_TABLE_EMPTY;

static int commit(int status, MPI_Datatype *type) {
  return status == MPI_SUCCESS && NEXT(PMPI_Type_commit)(type) == MPI_SUCCESS;
}

enum { LARGE = 1 << 30 };

/* MPI 3 counts in int: a large type is made of large pieces. */
static int make_large(size_t size, MPI_Datatype *type) {
  MPI_Datatype piece, pieces[2];
  const size_t whole = size / LARGE;
  int lengths[2] = {1, (int)(size % LARGE)};
  MPI_Aint places[2] = {0, (MPI_Aint)(whole * LARGE)};
  if (whole > INT_MAX) return 0;
  pieces[1] = PREDEFINED_BYTE;
  if (NEXT(PMPI_Type_contiguous)(LARGE, PREDEFINED_BYTE, &piece) != MPI_SUCCESS) return 0;
  if (NEXT(PMPI_Type_contiguous)((int)whole, piece, &pieces[0]) != MPI_SUCCESS) return 0;
  return commit(NEXT(PMPI_Type_create_struct)(2, lengths, places, pieces, type), type);
}

int packed_type(size_t size, MPI_Datatype *type) {
  MPI_Datatype *known = handle_find(&packed_types, size + 1);
  if (known == NULL) {
    if ((known = malloc(sizeof *known)) == NULL) return 0;
    const int made = size <= INT_MAX ? commit(NEXT(PMPI_Type_contiguous)((int)size, PREDEFINED_BYTE, known), known)
                                     : make_large(size, known);
    if (!made || !handle_put(&packed_types, size + 1, known)) {
      free(known);
      return 0;
    }
  }
  *type = *known;
  return 1;
}
