/* Elements of several basic types between ranks of which one alone may be interposed: one-side HOW. Rank 0 sends
 * messages of {double; int} of 12 to 36 KB, typed, packed or as bytes; rank 1 receives them typed. Prints how many
 * failed, and how many arrived other than they were sent. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BYTES = 12000, MOST_BYTES = 36000, STEP_BYTES = 1000, ELEMENT_BYTES = 12, TURNS = 2 };

struct element {
  double real;
  int whole;
};

static MPI_Datatype element_type(void) {
  MPI_Datatype members, type;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, offsetof(struct element, whole)},
                         (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &members);
  MPI_Type_create_resized(members, 0, sizeof(struct element), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&members);
  return type;
}

static void send(const struct element *elements, int count, MPI_Datatype type, const char *how) {
  const int bytes = count * ELEMENT_BYTES;
  unsigned char *packed = malloc((size_t)bytes);
  int position = 0;
  if (strcmp(how, "typed") == 0) MPI_Send(elements, count, type, 1, 0, MPI_COMM_WORLD);
  else {
    MPI_Pack(elements, count, type, packed, bytes, &position, MPI_COMM_WORLD);
    MPI_Send(packed, bytes, strcmp(how, "packed") == 0 ? MPI_PACKED : MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  }
  free(packed);
}

static int is_whole(const struct element *elements, int count) {
  for (int i = 0; i < count; i++)
    if (elements[i].real != i * 0.5 || elements[i].whole != count - i) return 0;
  return 1;
}

int main(int argc, char **argv) {
  int rank, messages = 0, failed = 0, other = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const MPI_Datatype type = element_type();
  for (int turn = 0; turn < TURNS; turn++)
    for (int bytes = LEAST_BYTES; bytes <= MOST_BYTES; bytes += STEP_BYTES, messages++) {
      const int count = bytes / ELEMENT_BYTES;
      struct element *elements = calloc((size_t)count, sizeof *elements);
      for (int i = 0; rank == 0 && i < count; i++) elements[i] = (struct element){i * 0.5, count - i};
      if (rank == 0) send(elements, count, type, argv[1]);
      else if (MPI_Recv(elements, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS) failed++;
      else other += !is_whole(elements, count);
      free(elements);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  if (rank == 1) printf("%d messages: %d failed, %d others\n", messages, failed, other);
  MPI_Finalize();
  return 0;
}
