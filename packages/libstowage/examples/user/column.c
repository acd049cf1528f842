/* A column of a matrix, packed and put into another matrix. */
#include <stdio.h>
#include <stowage_types.h>

enum { ROWS = 64, COLUMNS = 100 };

int main(void) {
  static double matrix[ROWS][COLUMNS], other[ROWS][COLUMNS];
  double packed[ROWS];
  stowage_builder *builder = stowage_builder_new(STOWAGE_STANDARD);
  const stowage_node column = stowage_vector(builder, ROWS, 1, COLUMNS, stowage_named(builder, "MPI_DOUBLE"));
  stowage_type *type;
  const enum stowage_status status = stowage_commit(NULL, builder, column, &type);
  if (status != STOWAGE_OK) fprintf(stderr, "%s: %s\n", stowage_text(status), stowage_builder_error(builder));
  stowage_builder_free(builder);
  if (status != STOWAGE_OK) return 1;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) matrix[i][j] = i * COLUMNS + j;
  int wrong = stowage_pack(&matrix[0][7], 1, type, packed, sizeof packed) != STOWAGE_OK;
  wrong += stowage_unpack(packed, sizeof packed, type, &other[0][9], 1) != STOWAGE_OK;
  for (int i = 0; i < ROWS; i++) wrong += other[i][9] != matrix[i][7];
  printf("libstowage %s: column 7 from %g to %g, %d wrong\n", stowage_version(), packed[0], packed[ROWS - 1], wrong);
  stowage_type_free(type);
  return wrong != 0;
}
