/* Calls of MPI_Pack and MPI_Unpack to be counted, of eight pairs of memories in turn: counted-packs CALLS TYPE COUNT
 * DIRECTION, TYPE a file that holds its description. Ends with 1 where unpacking does not give back what was packed. */
#include "described-type.h"

enum { PAIRS = 8 };

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  MPI_Init(&argc, &argv);
  const int calls = atoi(argv[1]), count = atoi(argv[3]), packs = strcmp(argv[4], "pack") == 0;
  const MPI_Datatype type = type_in(argv[2]);
  const struct reach reach = reach_of(type, count);
  int size, position;
  MPI_Pack_size(count, type, MPI_COMM_SELF, &size);
  unsigned char *memories[PAIRS], *packed[PAIRS];
  for (int i = 0; i < PAIRS; i++) {
    memories[i] = malloc(reach.bytes);
    packed[i] = malloc((size_t)size);
    memset(memories[i], i, reach.bytes);
    memset(packed[i], i, (size_t)size);
  }
  for (int i = 0; i < calls; i++) {
    unsigned char *memory = memories[i % PAIRS] + reach.origin, *stream = packed[i % PAIRS];
    position = 0;
    if (packs) MPI_Pack(memory, count, type, stream, size, &position, MPI_COMM_SELF);
    else MPI_Unpack(stream, size, &position, memory, count, type, MPI_COMM_SELF);
  }
  int is_wrong = 0;
  for (int i = 0; i < PAIRS; i++)
    for (size_t j = 0; j < reach.bytes; j++) is_wrong |= memories[i][j] != i;
  MPI_Finalize();
  return is_wrong;
}
