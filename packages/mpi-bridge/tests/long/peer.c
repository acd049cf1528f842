// The other end of peer.mjs: receives messages of each type by its own committed datatype, checks every byte, and sends
// them back once by that type and once packed by MPI_Pack.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1024, ORIGIN = 64, COUNT = 3, TYPES = 4, ROUTES = 2 };

static MPI_Datatype made(int which) {
  MPI_Datatype type;
  int lengths[] = {2, 1, 3}, places[] = {5, 0, 9};
  MPI_Aint bytes[] = {0, 8, 20};
  MPI_Datatype children[] = {MPI_INT, MPI_INT, MPI_CHAR};
  int of[] = {1, 2, 3};
  if (which == 0) MPI_Type_contiguous(3, MPI_DOUBLE, &type);
  if (which == 1) MPI_Type_vector(4, 2, 3, MPI_DOUBLE, &type);
  if (which == 2) MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
  if (which == 3) MPI_Type_create_struct(3, of, bytes, children, &type);
  MPI_Type_commit(&type);
  return type;
}

static void fill(unsigned char *buffer, int seed) {
  for (int i = 0; i < BYTES; i++) buffer[i] = (i * 131 + seed * 17 + 7) & 255;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  unsigned char got[BYTES], expected[BYTES], packed[BYTES], wanted[BYTES];
  int failed = 0, messages = 0;
  for (int route = 0; route < ROUTES; route++) {
    for (int which = 0; which < TYPES; which++) {
      MPI_Datatype type = made(which);
      MPI_Status status;
      int count, elements, size, source, at = 0, end = 0;
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, type, &count);
      source = status.MPI_SOURCE;
      fill(got, 99);
      MPI_Recv(got + ORIGIN, COUNT, type, MPI_ANY_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
      MPI_Get_elements(&status, type, &elements);
      MPI_Type_size(type, &size);
      fill(wanted, 5 + which);
      fill(expected, 99);
      MPI_Pack(wanted + ORIGIN, COUNT, type, packed, BYTES, &end, MPI_COMM_SELF);
      MPI_Unpack(packed, end, &at, expected + ORIGIN, COUNT, type, MPI_COMM_SELF);
      if (count != COUNT || status.MPI_TAG != which || end != COUNT * size || elements <= 0 ||
          memcmp(got, expected, BYTES) != 0) {
        printf("FAILED in C: type %d, route %d: count %d, tag %d\n", which, route, count, status.MPI_TAG);
        failed++;
      }
      MPI_Send(got + ORIGIN, COUNT, type, source, which, MPI_COMM_WORLD);
      MPI_Send(packed, end, MPI_PACKED, source, which, MPI_COMM_WORLD);
      messages += 3;
      MPI_Type_free(&type);
    }
  }
  int one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("C: %d messages, %d failed, %d ranks\n", messages, failed, sum);
  MPI_Finalize();
  return failed;
}
