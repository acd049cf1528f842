/* MPI_PACKED and MPI_BYTE are received into structs whose basic elements have several sizes, from messages of every
 * length at which an MPI changes its protocol or its fragments: a fragment ends inside an element. On two ranks; prints
 * how many messages there were and how many arrived wrong, or not at all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 4 };

static MPI_Datatype structure(int members, const MPI_Aint places[], const MPI_Datatype types[], MPI_Aint extent) {
  int lengths[4] = {1, 1, 1, 1};
  MPI_Datatype made, resized;
  MPI_Type_create_struct(members, lengths, places, types, &made);
  MPI_Type_create_resized(made, 0, extent, &resized);
  MPI_Type_commit(&resized);
  MPI_Type_free(&made);
  return resized;
}

static void make_types(MPI_Datatype types[TYPES]) {
  types[0] = structure(2, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, 16);
  types[1] = structure(2, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE}, 16);
  types[2] = structure(3, (MPI_Aint[]){24, 16, 0}, (MPI_Datatype[]){MPI_SHORT, MPI_FLOAT, MPI_C_DOUBLE_COMPLEX}, 32);
  /* Copies of the first type side by side, so that blocks of whole structs are apart too. */
  MPI_Type_vector(3, 2, 5, types[0], &types[3]);
  MPI_Type_commit(&types[3]);
}

static size_t bytes_for(MPI_Datatype type, int count) {
  MPI_Aint lower, extent, true_lower, true_extent;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  return (size_t)(extent * (count - 1) + true_lower + true_extent);
}

/* Whether one message is wrong, by way of what the MPI packs of what has been received. */
static int is_wrong(int rank, MPI_Datatype type, MPI_Datatype sent_as, int bytes) {
  int size, position = 0, code = MPI_SUCCESS, wrong = 0;
  MPI_Type_size(type, &size);
  const int count = bytes / size + 1, length = count * size;
  unsigned char *packed = malloc((size_t)length), *again = malloc((size_t)length);
  for (int i = 0; i < length; i++) packed[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + 7);
  if (rank == 0) code = MPI_Send(packed, length, sent_as, 1, 7, MPI_COMM_WORLD);
  else {
    unsigned char *user = calloc(1, bytes_for(type, count));
    code = MPI_Recv(user, count, type, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Pack(user, count, type, again, length, &position, MPI_COMM_WORLD);
    wrong = memcmp(packed, again, (size_t)length) != 0;
    free(user);
  }
  free(packed);
  free(again);
  return wrong || code != MPI_SUCCESS;
}

int main(int argc, char **argv) {
  static const int sizes[] = {100,   1000,  4000,  8000,  8200,   12000,  16500,   20000,
                              24700, 36000, 65000, 66000, 130000, 300000, 1100000, 5000000};
  const MPI_Datatype senders[] = {MPI_PACKED, MPI_BYTE};
  MPI_Datatype types[TYPES];
  int rank, messages = 0, wrong = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  make_types(types);
  for (int sender = 0; sender < 2; sender++)
    for (int type = 0; type < TYPES; type++)
      for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, messages++)
        wrong += is_wrong(rank, types[type], senders[sender], sizes[i]);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d messages, %d wrong\n", messages, all);
  MPI_Finalize();
  return 0;
}
