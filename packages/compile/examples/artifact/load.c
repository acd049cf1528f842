/* Packs and unpacks a column of a matrix by what `stowage compile --language artifact` stored: load NAME takes the file
 * NAME.LEVEL.stowage for the level of this processor. */
#include "stowage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, COLUMNS = 6, PACK = 0, UNPACK = 1 };

static void require(enum stowage_status status, const char *what) {
  if (status == STOWAGE_OK) return;
  fprintf(stderr, "%s: %s\n", what, stowage_text(status));
  exit(1);
}

int main(int argc, char **argv) {
  char path[4096];
  const char *level = stowage_level();
  if (argc != 2 || level == NULL) return 2;
  snprintf(path, sizeof path, "%s.%s.stowage", argv[1], level);

  stowage_kernel *kernel;
  require(stowage_load_file(path, &kernel), path);
  if (stowage_move_at(kernel, PACK)->size != ROWS * sizeof(double)) return 1;

  double matrix[ROWS][COLUMNS], copy[ROWS][COLUMNS] = {{0}}, packed[ROWS];
  for (int i = 0; i < ROWS * COLUMNS; i++) matrix[i / COLUMNS][i % COLUMNS] = i;
  /* Column 2: its address 0 is that of its first number. */
  require(stowage_run(kernel, PACK, &matrix[0][2], packed, 1, 0, sizeof packed), "pack");
  require(stowage_run(kernel, UNPACK, packed, &copy[0][2], 1, 0, sizeof packed), "unpack");
  stowage_unload(kernel);

  int wrong = 0;
  for (int i = 0; i < ROWS; i++) wrong += packed[i] != matrix[i][2] || copy[i][2] != matrix[i][2];
  printf("%d of %d numbers are wrong\n", wrong, ROWS);
  return wrong != 0;
}
